import { invalid, required, type FieldError } from '../../errors/field-error.ts';
import { dnsSubdomainProblems } from '../../meta/names.ts';

const PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/** Keys of extra values stand under the domain of whoever made them up, in lower case, and under none that is reserved. */
export function checkExtraKey(key: string, path: string, reserved: readonly string[]): FieldError[] {
  const errors = domainPath(key, path);
  if (key !== key.toLowerCase()) errors.push(invalid(path, key, 'key must be lowercase'));
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  if (reserved.some((one) => domain === one || domain.endsWith(`.${one}`))) {
    const named = reserved.join(', ');
    errors.push(invalid(path, key, `${named} and their subdomains are reserved for Kubernetes use`));
  }
  return errors;
}

function domainPath(key: string, path: string): FieldError[] {
  if (key === '') return [required(path)];
  const slash = key.indexOf('/');
  if (slash < 1 || slash === key.length - 1) {
    return [invalid(path, key, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const domain = key.slice(0, slash);
  const rest = key.slice(slash + 1);
  return [
    ...dnsSubdomainProblems(domain).map((problem) => invalid(path, domain, problem)),
    ...(PATH.test(rest)
      ? []
      : [
          invalid(
            path,
            rest,
            `Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')`,
          ),
        ]),
  ];
}
