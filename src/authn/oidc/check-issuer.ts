import { X509Certificate } from 'node:crypto';
import { duplicate, invalid, required, type FieldError } from '../../errors/field-error.ts';
import type { JwtConfiguration } from './configuration.ts';

type Issuer = JwtConfiguration['issuer'];

const MATCH_ANY = 'MatchAny';

/** What is wrong with where tokens come from and whom they are for. */
export function checkIssuer(issuer: Issuer, path: string, disallowed: readonly string[]): FieldError[] {
  return [
    ...(issuer.url === ''
      ? [required(`${path}.url`, 'URL is required')]
      : checkUrl(issuer.url, `${path}.url`, disallowed)),
    ...checkDiscovery(issuer, `${path}.discoveryURL`),
    ...checkAudiences(issuer, path),
    ...checkAuthority(issuer.certificateAuthority, `${path}.certificateAuthority`),
  ];
}

function checkDiscovery({ url, discoveryURL }: Issuer, path: string): FieldError[] {
  if (discoveryURL === '') return [];
  const same = url !== '' && withoutSlashes(url) === withoutSlashes(discoveryURL);
  return [
    ...(same ? [invalid(path, discoveryURL, 'discoveryURL must be different from URL')] : []),
    ...checkUrl(discoveryURL, path, []),
  ];
}

function withoutSlashes(text: string): string {
  return text.replace(/\/+$/, '');
}

function checkUrl(text: string, path: string, disallowed: readonly string[]): FieldError[] {
  const wrong = (detail: string): FieldError => invalid(path, text, detail);
  const errors: FieldError[] = [];
  if (disallowed.includes(text)) {
    errors.push(wrong(`URL must not overlap with disallowed issuers: [${[...disallowed].sort().join(' ')}]`));
  }
  const url = URL.parse(text);
  if (url?.protocol !== 'https:') return [...errors, wrong('URL scheme must be https')];
  if (url.username !== '' || url.password !== '')
    errors.push(wrong('URL must not contain a username or password'));
  if (url.search !== '') errors.push(wrong('URL must not contain a query'));
  if (url.hash !== '') errors.push(wrong('URL must not contain a fragment'));
  return errors;
}

function checkAudiences({ audiences, audienceMatchPolicy }: Issuer, issuerPath: string): FieldError[] {
  const path = `${issuerPath}.audiences`;
  if (audiences.length === 0) return [required(path, `at least one ${path} is required`)];
  const errors = audiences.flatMap((audience, index) => [
    ...(audience === '' ? [required(`${path}[${index}]`, "audience can't be empty")] : []),
    ...(audiences.indexOf(audience) < index ? [duplicate(`${path}[${index}]`, audience)] : []),
  ]);
  const matched = audienceMatchPolicy === MATCH_ANY || (audiences.length === 1 && audienceMatchPolicy === '');
  if (matched) return errors;
  const detail =
    audiences.length > 1
      ? 'audienceMatchPolicy must be MatchAny for multiple audiences'
      : 'audienceMatchPolicy must be empty or MatchAny for single audience';
  return [...errors, invalid(`${issuerPath}.audienceMatchPolicy`, audienceMatchPolicy, detail)];
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

function checkAuthority(pem: string, path: string): FieldError[] {
  if (pem === '') return [];
  try {
    const blocks = pem.match(CERTIFICATE);
    if (blocks === null) throw new Error('data does not contain any valid RSA or ECDSA certificates');
    for (const block of blocks) new X509Certificate(block);
    return [];
  } catch (error) {
    return [invalid(path, '<omitted>', (error as Error).message)];
  }
}
