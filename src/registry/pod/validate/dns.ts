import { invalid, required, type FieldError } from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { objectAt, textAt } from '../../../meta/fields.ts';
import { dnsSubdomainProblems } from '../../../meta/names.ts';
import type { Json, JsonObject } from '../../../meta/object.ts';
import type { CheckContext } from '../../../schema/rules/rule-book.ts';
import { FORMATS } from '../../../schema/rules/formats.ts';
import { itemsOf } from './container-lists.ts';

const MOST_SERVERS = 3;
const MOST_SEARCHES = 32;
const LONGEST_SEARCHES = 2048;

/** How a pod resolves names. @param at of the pod's spec. */
export function checkDns(spec: JsonObject, at: FieldPath, context: CheckContext): void {
  const { errors } = context;
  const config = objectAt(spec, 'dnsConfig');
  const path = at.child('dnsConfig');
  const servers = textsOf(config?.['nameservers']);
  if (spec['dnsPolicy'] === 'None' && servers.length === 0) {
    const field = config === undefined ? path : path.child('nameservers');
    errors.push(required(field, 'dnsPolicy None has no servers but these'));
    return;
  }
  if (config === undefined) return;
  checkServers(servers, path.child('nameservers'), errors);
  checkSearches(textsOf(config['searches']), path.child('searches'), context);
  itemsOf(config['options']).forEach((option, i) => {
    if (textAt(option, 'name') === '') errors.push(required(path.child('options').index(i)));
  });
}

function checkServers(servers: readonly string[], at: FieldPath, errors: FieldError[]): void {
  if (servers.length > MOST_SERVERS)
    errors.push(invalid(at, [...servers], `must have no more than ${MOST_SERVERS} items`));
  servers.forEach((server, i) => {
    for (const problem of FORMATS.ip(server)) errors.push(invalid(at.index(i), server, problem));
  });
}

function checkSearches(
  searches: readonly string[],
  at: FieldPath,
  { errors, tolerates }: CheckContext,
): void {
  if (searches.length > MOST_SEARCHES)
    errors.push(invalid(at, [...searches], `must have no more than ${MOST_SEARCHES} items`));
  if (Buffer.byteLength(searches.join(' ')) > LONGEST_SEARCHES)
    errors.push(invalid(at, '…', `must have no more than ${LONGEST_SEARCHES} characters together`));
  searches.forEach((search, i) => {
    const name = search.endsWith('.') ? search.slice(0, -1) : search;
    for (const problem of dnsSubdomainProblems(name))
      if (!isRelaxed(search, name) || !tolerates('relaxedSearch'))
        errors.push(invalid(at.index(i), search, problem));
  });
}

const LONGEST_DOMAIN = 253;
const WITH_UNDERSCORES = /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/;

/** Whether a domain to search in is one where the root counts, and labels with underscores do. @param name without the dot behind it */
function isRelaxed(search: string, name: string): boolean {
  return search === '.' || (name.length <= LONGEST_DOMAIN && WITH_UNDERSCORES.test(name));
}

function textsOf(list: Json | undefined): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}
