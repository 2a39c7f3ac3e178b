import { code, columns, exact, type Line } from './lines.ts';

/** For system:node:n1 of system:nodes and two, with names of every kind; its key is lost. */
const REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJREFUQ0NBZWtDQVFBd2J6RUxNQWtHQTFVRUJoTUNSRVV4Q2pBSUJnTlZCQWdNQVVJeENqQUlCZ05WQkFjTQpBVU14RlRBVEJnTlZCQW9NREhONWMzUmxiVHB1YjJSbGN6RU1NQW9HQTFVRUNnd0RkSGR2TVFvd0NBWURWUVFMCkRBRjFNUmN3RlFZRFZRUUREQTV6ZVhOMFpXMDZibTlrWlRwdU1UQ0NBU0l3RFFZSktvWklodmNOQVFFQkJRQUQKZ2dFUEFEQ0NBUW9DZ2dFQkFMUGduSFZHRUVMUkJwcmJHb0tzRS9YZlNjZ2tQaEtHUTVoTklMT1A1ck0wdmJlZgpGdmRCeS9lc2xhZGZjeXdGSmxCczBIK1h5anBhSFN2QjR2djBJbjY0T1BkMm83WDR6WHBxeGVNbDRCdHpCREJmClFYUTBYaUdlamJsc0hrbjVQdHJQbk9LNU13VzZhZzdZcjdVajlKeFI3RUEyZXNPTWhJSUEvZGJoT3hvbWxJRFgKd2RJRXNTWlJZa0VnaHg4cTY0Mm1vUFRPL2JvMHVRTTJNbWQ1TzArYTIvQVZ1ZHdtTTBCZ3VYL3RZeDIzWGt6SAowUkxRc3JxZHZEQlArWUV5WDFrOUNEaDJZWkhUdUJoMHN5d1gyejFLL3kwcC9LM3JLaXh0ck9WRlo2L1VxNUw5ClR0M0dmMHg0U0Nzay9raUFubEoybjdvc3VVblFWQWZRVXhKR0NzMENBd0VBQWFCTk1Fc0dDU3FHU0liM0RRRUoKRGpFK01Ed3dPZ1lEVlIwUkJETXdNWUlKWVM1bGVHRnRjR3hsZ2dsaUxtVjRZVzF3YkdXSEJBb0FBQUdCQldGQQpZaTVqaGd4emNHbG1abVU2THk5NEwza3dEUVlKS29aSWh2Y05BUUVMQlFBRGdnRUJBSXhXSjJDdlREa2lPc3QxCmtWUE1MUTdQUjZ3a1JmUktOUEVCUHJQSERlMDRmSkFETGo0SHlEM3dzblhGd2NwcjF0RHNrQjdadVVCbjBDd0QKRElBY3ZYQUpZMjNlSWEvV25tTWJJRnRZZmdkNmg5SE9ROWpodlN3Qm5XdFk1Q25veFhsREY5TU42OGFRSFdqOApHSG1IOEZyeTEvUE5oU2h3cFFDSWowcGk2QWw5ZHB5aVZaRE53RDNCWXFWSUdVWVJsejczcUZUT0N5NEVncFJwCnhkSjdCSTAzdzM4NFpkMDRKRWdYZVJMS281UzBzTEZDL04wNkhiWXlTR3g4TEV0Y0Q3WlRiRS9Fa2VZa1Nkek0KY0xuZFlBTSt5OWQ0a0t0Q1diUlRFcHdwZXV5TkJJZklmdFZUcWYwNTJuVXYxRStOZW04NFhla2RIZTRIWFNGQQpIZURaaFJ3PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';

const request = (name: string): string => `apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: ${name}, labels: {a: b}}
spec: {request: ${REQUEST}, signerName: example.com/signer, expirationSeconds: 86400, usages: [client auth]}
`;

/** Requests of each program's own. */
export const CERTIFICATE_REQUESTS = (namespace: string): string =>
  ['granted', 'refused', 'third'].map((name) => request(`${name}-${namespace}`)).join('---\n') +
  `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, labels: {a: b}}\ndata: {a: "1"}\n`;

const MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n';

/** Requests for certificates, and objects that files name. */
export const CERTIFICATE_LINES: readonly Line[] = [
  exact('describe csr granted-NAMESPACE'),
  exact('certificate approve granted-NAMESPACE'),
  exact('certificate approve csr/granted-NAMESPACE'),
  exact('certificate approve granted-NAMESPACE --force'),
  code('certificate deny granted-NAMESPACE'),
  exact('certificate deny refused-NAMESPACE third-NAMESPACE'),
  code('certificate approve third-NAMESPACE'),
  code('certificate approve gone'),
  code('certificate approve'),
  code('certificate approve pod/x'),
  exact('get csr granted-NAMESPACE -o jsonpath={.status.conditions[*].type}'),
  exact('get csr refused-NAMESPACE -o jsonpath={.status.conditions[*].type}'),
  exact('describe csr refused-NAMESPACE'),
  exact('get -f settings.yaml -o yaml'),
  exact('get -f settings.yaml -o name'),
  columns('get -f settings.yaml'),
  { ...exact('get -f - -o yaml'), input: MAP },
  { ...exact('get -f - -f settings.yaml -o name'), input: MAP },
  exact('get -f settings.yaml -f settings.yaml -o json'),
  columns('get -f mixed.yaml'),
  // kubectl shows none of a file's objects where one is missing.
  code('get -f mixed.yaml -o name'),
  code('get -f missing.yaml'),
  code('get -f settings.yaml cm'),
  code('get -f settings.yaml -n elsewhere'),
  code('get'),
];

/** The files that the lines name. */
export const CERTIFICATE_FILES: Readonly<Record<string, string>> = {
  'settings.yaml': MAP,
  'mixed.yaml': `${MAP}---\napiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: gone}\n`,
};
