import assert from 'node:assert/strict';
import {
  clientRule,
  nodeClientRule,
  nodeServerRule,
  type SignerRule,
} from '../../../src/controllers/certificates/signer-rules.ts';
import { readCertificateRequest } from '../../../src/lib/x509/certificate-request.ts';
import { makeRequest, type RequestTemplate } from '../../support/certificate-requests.ts';

const NODE = { commonName: 'system:node:a', organizations: ['system:nodes'] };
const CLIENT = ['digital signature', 'client auth'];
const SERVER = ['digital signature', 'server auth'];
const DNS = { names: [{ type: 'dns', value: 'a.example.com' }] } as const;
const IP = { names: [{ type: 'ip', value: '10.0.0.1' }] } as const;
const EMAIL = { names: [...DNS.names, { type: 'email', value: 'a@example.com' }] } as const;
const URI = { names: [...DNS.names, { type: 'url', value: 'https://example.com' }] } as const;

type Case = readonly [what: string, template: RequestTemplate, usages: readonly string[], refusal?: RegExp];

const RULES: readonly (readonly [string, SignerRule, readonly Case[]])[] = [
  [
    'of nodes as clients',
    nodeClientRule,
    [
      ['a node', NODE, CLIENT],
      ['a node with an RSA key', NODE, [...CLIENT, 'key encipherment']],
      ['usages in any order', NODE, ['client auth', 'key encipherment', 'digital signature']],
      ['no organization', { ...NODE, organizations: [] }, CLIENT, /organization/],
      [
        'a master besides',
        { ...NODE, organizations: ['system:nodes', 'system:masters'] },
        CLIENT,
        /organization/,
      ],
      [
        'the organization twice',
        { ...NODE, organizations: ['system:nodes', 'system:nodes'] },
        CLIENT,
        /organiz/,
      ],
      ['a user', { ...NODE, commonName: 'jane' }, CLIENT, /common name/],
      ['a DNS name', { ...NODE, ...DNS }, CLIENT, /subjectAltNames/],
      ['an IP address', { ...NODE, ...IP }, CLIENT, /subjectAltNames/],
      ['a mailbox', { ...NODE, ...EMAIL }, CLIENT, /subjectAltNames/],
      ['a server', NODE, SERVER, /usages/],
      ['a server besides', NODE, [...CLIENT, 'server auth'], /usages/],
      ['a usage too few', NODE, ['client auth'], /usages/],
      ['everything', NODE, ['any'], /usages/],
    ],
  ],
  [
    'of nodes as servers',
    nodeServerRule,
    [
      ['a node with a name', { ...NODE, ...DNS }, SERVER],
      ['a node with an address', { ...NODE, ...IP }, [...SERVER, 'key encipherment']],
      ['neither', NODE, SERVER, /DNS name or IP/],
      ['a mailbox', { ...NODE, ...EMAIL }, SERVER, /only DNS names/],
      ['a page', { ...NODE, ...URI }, SERVER, /only DNS names/],
      ['a user', { ...NODE, ...DNS, commonName: 'jane' }, SERVER, /common name/],
      ['another organization', { ...NODE, ...DNS, organizations: ['x'] }, SERVER, /organization/],
      ['a client', { ...NODE, ...DNS }, CLIENT, /usages/],
    ],
  ],
  [
    'of clients',
    clientRule,
    [
      ['anybody', { commonName: 'jane', organizations: ['dev'], ...DNS }, ['client auth']],
      ['an RSA key', { commonName: 'jane' }, [...CLIENT, 'key encipherment']],
      ['no client', { commonName: 'jane' }, ['digital signature'], /"client auth" is missing/],
      ['an authority', { commonName: 'jane' }, [...CLIENT, 'cert sign'], /"cert sign" is none/],
      ['everything', { commonName: 'jane' }, ['any', 'client auth'], /"any" is none/],
    ],
  ],
];

for (const [name, rule, cases] of RULES) {
  describe(`the signer ${name}`, () => {
    for (const [what, template, usages, refusal] of cases) {
      it(`${refusal === undefined ? 'signs' : 'refuses'} ${what}`, async () => {
        const { pem } = await makeRequest(template);
        const answer = rule(readCertificateRequest(Buffer.from(pem)), usages);
        if (refusal === undefined) assert.equal(answer, undefined);
        else assert.match(answer ?? '', refusal);
      });
    }
  });
}
