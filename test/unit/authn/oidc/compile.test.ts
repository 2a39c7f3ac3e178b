import assert from 'node:assert/strict';
import { compileIssuers } from '../../../../src/authn/oidc/compile.ts';
import { readAuthenticationConfiguration } from '../../../../src/authn/oidc/configuration.ts';
import { loadNames } from '../../../../src/names/load.ts';
import { loadExpressions, type ExpressionCompiler } from '../../../../src/schema/expressions/compile.ts';

type Part = Record<string, unknown>;

const ISSUER = { url: 'https://issuer.example.com', audiences: ['orch'] };
const USERNAME = { claim: 'sub', prefix: '' };
const names = loadNames({ profile: 'kubernetes' });

function issuer(change: { issuer?: Part; username?: Part; mappings?: Part; rest?: Part } = {}): Part {
  return {
    issuer: { ...ISSUER, ...change.issuer },
    claimMappings: { username: change.username ?? USERNAME, ...change.mappings },
    ...change.rest,
  };
}

const EMAIL_RULE =
  'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';
const PREFIX_RULE =
  'prefix is required when claim is set. It can be set to an empty string to disable prefixing';

/** Each with what is wrong, in order; none where it is fine. */
const CASES: readonly (readonly [string, readonly Part[], readonly string[]])[] = [
  ['no issuers', [], []],
  ['an issuer with a username', [issuer()], []],
  [
    '65 issuers',
    Array.from({ length: 65 }, () => issuer()),
    ['jwt: Too many: 65: must have at most 64 items'],
  ],
  ['no URL', [issuer({ issuer: { url: '' } })], ['jwt[0].issuer.url: Required value: URL is required']],
  [
    'a URL without TLS',
    [issuer({ issuer: { url: 'http://issuer.example.com' } })],
    ['jwt[0].issuer.url: Invalid value: "http://issuer.example.com": URL scheme must be https'],
  ],
  [
    'a URL with all that it may not have',
    [issuer({ issuer: { url: 'https://user:password@issuer.example.com/?q=1#f' } })],
    [
      'jwt[0].issuer.url: Invalid value: "https://user:password@issuer.example.com/?q=1#f": URL must not contain a username or password',
      'jwt[0].issuer.url: Invalid value: "https://user:password@issuer.example.com/?q=1#f": URL must not contain a query',
      'jwt[0].issuer.url: Invalid value: "https://user:password@issuer.example.com/?q=1#f": URL must not contain a fragment',
    ],
  ],
  [
    'the issuer of service accounts',
    [issuer({ issuer: { url: 'https://taken.example.com' } })],
    [
      'jwt[0].issuer.url: Invalid value: "https://taken.example.com": URL must not overlap with disallowed issuers: [https://taken.example.com]',
    ],
  ],
  [
    'two issuers alike',
    [issuer(), issuer()],
    ['jwt[1].issuer.url: Duplicate value: "https://issuer.example.com"'],
  ],
  [
    'two discovery URLs alike',
    [
      issuer({ issuer: { discoveryURL: 'https://inside/d' } }),
      issuer({ issuer: { url: 'https://other', discoveryURL: 'https://inside/d' } }),
    ],
    ['jwt[1].issuer.discoveryURL: Duplicate value: "https://inside/d"'],
  ],
  [
    'a discovery URL that is the issuer',
    [issuer({ issuer: { discoveryURL: 'https://issuer.example.com/' } })],
    [
      'jwt[0].issuer.discoveryURL: Invalid value: "https://issuer.example.com/": discoveryURL must be different from URL',
    ],
  ],
  [
    'no audiences',
    [issuer({ issuer: { audiences: [] } })],
    ['jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required'],
  ],
  [
    'audiences that are empty and repeated, without a policy',
    [issuer({ issuer: { audiences: ['a', '', 'a'] } })],
    [
      "jwt[0].issuer.audiences[1]: Required value: audience can't be empty",
      'jwt[0].issuer.audiences[2]: Duplicate value: "a"',
      'jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences',
    ],
  ],
  ['several audiences', [issuer({ issuer: { audiences: ['a', 'b'], audienceMatchPolicy: 'MatchAny' } })], []],
  [
    'one audience and an unknown policy',
    [issuer({ issuer: { audienceMatchPolicy: 'MatchAll' } })],
    [
      'jwt[0].issuer.audienceMatchPolicy: Invalid value: "MatchAll": audienceMatchPolicy must be empty or MatchAny for single audience',
    ],
  ],
  [
    'an authority that is none',
    [issuer({ issuer: { certificateAuthority: 'secret' } })],
    [
      'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates',
    ],
  ],
  [
    'no username',
    [issuer({ username: {} })],
    ['jwt[0].claimMappings.username: Required value: claim or expression is required'],
  ],
  [
    'a username claim without prefix',
    [issuer({ username: { claim: 'sub' } })],
    [`jwt[0].claimMappings.username.prefix: Required value: ${PREFIX_RULE}`],
  ],
  [
    'claim and expression',
    [
      issuer({
        username: { claim: 'sub', expression: 'claims.sub' },
        mappings: {
          groups: { claim: 'g', expression: 'claims.g' },
          uid: { claim: 'u', expression: 'claims.u' },
        },
      }),
    ],
    [
      'jwt[0].claimMappings.username: Invalid value: "": claim and expression can\'t both be set',
      'jwt[0].claimMappings.groups: Invalid value: "": claim and expression can\'t both be set',
      'jwt[0].claimMappings.uid: Invalid value: "": claim and expression can\'t both be set',
    ],
  ],
  [
    'a prefix of an expression',
    [issuer({ username: { expression: 'claims.sub', prefix: 'p' } })],
    ['jwt[0].claimMappings.username.prefix: Invalid value: "p": prefix can\'t be set when expression is set'],
  ],
  [
    'an email that nobody has verified',
    [issuer({ username: { expression: 'claims.email' } })],
    [`jwt[0].claimMappings.username.expression: Invalid value: "claims.email": ${EMAIL_RULE}`],
  ],
  [
    'an email verified by a rule',
    [
      issuer({
        username: { expression: 'claims.email' },
        rest: { claimValidationRules: [{ expression: 'claims.email_verified == true' }] },
      }),
    ],
    [],
  ],
  [
    'an email verified by itself',
    [
      issuer({
        username: { expression: "claims.?email_verified.orValue(true) == true ? claims.email : ''" },
      }),
    ],
    [],
  ],
  [
    'rules of claims',
    [
      issuer({
        rest: {
          claimValidationRules: [
            {},
            { claim: 'a', expression: 'true' },
            { claim: 'a', requiredValue: 'x', message: 'no' },
            { claim: 'a', requiredValue: 'y' },
            { expression: 'claims.sub == "x"', requiredValue: 'x' },
            { expression: 'claims.sub == "x"' },
            { expression: 'claims.sub' },
          ],
        },
      }),
    ],
    [
      'jwt[0].claimValidationRules[0]: Required value: claim or expression is required',
      'jwt[0].claimValidationRules[1]: Invalid value: "a": claim and expression can\'t both be set',
      'jwt[0].claimValidationRules[2].message: Invalid value: "no": message can\'t be set when claim is set',
      'jwt[0].claimValidationRules[3].claim: Duplicate value: "a"',
      'jwt[0].claimValidationRules[4].requiredValue: Invalid value: "x": requiredValue can\'t be set when expression is set',
      'jwt[0].claimValidationRules[5].expression: Duplicate value: "claims.sub == \\"x\\""',
      'jwt[0].claimValidationRules[6].expression: Invalid value: "claims.sub": must evaluate to bool',
    ],
  ],
  [
    'rules of users',
    [
      issuer({
        rest: {
          userValidationRules: [
            { expression: "!user.username.startsWith('system:')", message: 'reserved' },
            {},
            { expression: 'true' },
            { expression: 'true' },
            { expression: 'claims.sub == "x"' },
          ],
        },
      }),
    ],
    [
      'jwt[0].userValidationRules[1].expression: Required value: expression is required',
      'jwt[0].userValidationRules[3].expression: Duplicate value: "true"',
      'jwt[0].userValidationRules[4].expression: Invalid value: "claims.sub == \\"x\\"": compilation failed: ERROR: <input>:1:1: undeclared reference to \'claims\' (in container \'\')\n | claims.sub == "x"\n | ^',
    ],
  ],
  [
    'keys of extra values',
    [
      issuer({
        mappings: {
          extra: [
            { key: 'acme.io/foo', valueExpression: 'claims.foo' },
            { key: 'acme.io/foo', valueExpression: 'claims.foo' },
            { key: 'acme.io/Bar', valueExpression: '"b"' },
            { key: 'bar', valueExpression: '"b"' },
            { key: '', valueExpression: '"b"' },
            { key: 'a.kubernetes.io/b', valueExpression: '"b"' },
            { key: 'k8s.io/b', valueExpression: '"b"' },
            { key: 'acme.io/c' },
          ],
        },
      }),
    ],
    [
      'jwt[0].claimMappings.extra[1].key: Duplicate value: "acme.io/foo"',
      'jwt[0].claimMappings.extra[2].key: Invalid value: "acme.io/Bar": key must be lowercase',
      'jwt[0].claimMappings.extra[3].key: Invalid value: "bar": must be a domain-prefixed path (such as "acme.io/foo")',
      'jwt[0].claimMappings.extra[4].key: Required value',
      'jwt[0].claimMappings.extra[5].key: Invalid value: "a.kubernetes.io/b": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use',
      'jwt[0].claimMappings.extra[6].key: Invalid value: "k8s.io/b": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use',
      'jwt[0].claimMappings.extra[7].valueExpression: Required value: valueExpression is required',
    ],
  ],
];

describe('an authentication configuration', () => {
  let compiler: ExpressionCompiler;
  before(async () => {
    compiler = await loadExpressions();
  });

  for (const [name, jwt, expected] of CASES) {
    it(`with ${name} ${expected.length === 0 ? 'is fine' : 'is refused'}`, () => {
      const document = {
        apiVersion: 'apiserver.config.k8s.io/v1beta1',
        kind: 'AuthenticationConfiguration',
        jwt,
      };
      const configuration = readAuthenticationConfiguration(JSON.stringify(document), names);
      const { errors } = compileIssuers(configuration.jwt, {
        compiler,
        disallowedIssuers: ['https://taken.example.com'],
        reservedDomains: ['k8s.io', 'kubernetes.io'],
      });
      assert.deepEqual(
        errors.map(({ field, message }) => `${field}: ${message}`),
        expected,
      );
    });
  }
});
