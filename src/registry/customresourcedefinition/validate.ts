import { forbidden, invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import { dns1035LabelProblems, dnsSubdomainProblems } from '../../meta/names.ts';
import type { JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { addProblems } from '../problems.ts';
import { textsOf } from '../webhookconfiguration/rules.ts';
import { checkService, checkUrl } from '../webhookconfiguration/url.ts';
import { checkParts, hasStructuralSchemas } from './parts.ts';
import { schemaTerms } from './terms.ts';
import { checkVersion } from './version.ts';

const SCOPES = ['Cluster', 'Namespaced'];

/** CustomResourceDefinitions, but for the defaults and the expressions in their schemas. */
export function definitionCheck(names: NamingProfile): TypeCheck {
  const protectedGroups = [names.get('domain.groups'), names.get('domain.labels')];
  const approval = names.get('annotation.api-approved');
  const terms = schemaTerms(names);
  const requiresStructure = (spec: JsonObject, before: JsonObject | undefined): boolean =>
    before === undefined || spec['preserveUnknownFields'] !== true || hasStructuralSchemas(before, terms);
  return (object, at, { root, old, errors }) => {
    const spec = objectAt(object, 'spec') ?? {};
    const path = at.child('spec');
    const group = textAt(spec, 'group');
    const names = objectAt(spec, 'names') ?? {};
    const name = root.metadata.name ?? '';
    if (old === undefined && name !== `${textAt(names, 'plural')}.${group}`)
      errors.push(
        invalid(at.child('metadata').child('name'), name, "must be the plural name, '.' and the group"),
      );
    checkGroup(group, path.child('group'), errors);
    const scope = textAt(spec, 'scope');
    if (scope === '') errors.push(required(path.child('scope')));
    else if (!SCOPES.includes(scope)) errors.push(notSupported(path.child('scope'), scope, SCOPES));
    checkNames(names, path.child('names'), errors);
    checkVersions(objectsAt(spec, 'versions'), path.child('versions'), errors);
    checkParts(spec, path, {
      terms,
      errors,
      requiresStructure: requiresStructure(spec, objectAt(old, 'spec')),
    });
    checkStored(textsOf(objectAt(root, 'status')?.['storedVersions']), objectsAt(spec, 'versions'), errors);
    const conversion = objectAt(spec, 'conversion');
    if (conversion !== undefined) checkConversion(conversion, path.child('conversion'), errors);
    const isProtected = protectedGroups.some((domain) => group === domain || group.endsWith(`.${domain}`));
    if (isProtected && old === undefined && !root.metadata.annotations?.[approval])
      errors.push(
        required(at.child('metadata').child('annotations').key(approval), 'the group is the project’s own'),
      );
    if (old !== undefined) checkChange(spec, old, { at: path, errors });
    else if (spec['preserveUnknownFields'] === true)
      errors.push(invalid(path.child('preserveUnknownFields'), true, 'must be false'));
  };
}

function checkGroup(group: string, at: FieldPath, errors: FieldError[]): void {
  if (group === '') {
    errors.push(required(at));
    return;
  }
  const problems = dnsSubdomainProblems(group);
  addProblems(errors, at, group, problems);
  if (problems.length === 0 && !group.includes('.')) errors.push(invalid(at, group, 'must have a dot in it'));
}

/** Names of a kind and its resource: DNS labels, kinds in whatever case. */
function checkNames(names: JsonObject, at: FieldPath, errors: FieldError[]): void {
  for (const field of ['plural', 'singular', 'kind', 'listKind']) {
    const name = textAt(names, field);
    if (name === '') errors.push(required(at.child(field)));
    else
      addProblems(
        errors,
        at.child(field),
        name,
        dns1035LabelProblems(isKind(field) ? name.toLowerCase() : name),
      );
  }
  for (const field of ['shortNames', 'categories'])
    for (const [i, name] of textsOf(names[field]).entries())
      addProblems(errors, at.child(field).index(i), name, dns1035LabelProblems(name));
  const kind = textAt(names, 'kind');
  if (kind !== '' && kind === textAt(names, 'listKind'))
    errors.push(invalid(at.child('listKind'), kind, 'must not be the kind itself'));
}

function isKind(field: string): boolean {
  return field === 'kind' || field === 'listKind';
}

function checkVersions(versions: readonly JsonObject[], at: FieldPath, errors: FieldError[]): void {
  for (const [i, version] of versions.entries()) checkVersion(version, at.index(i), errors);
  const names = versions.map((version) => textAt(version, 'name'));
  if (new Set(names).size < names.length) errors.push(invalid(at, names, 'must have different names'));
  if (versions.filter(({ storage }) => storage === true).length !== 1)
    errors.push(invalid(at, names, 'must have one that objects are stored in'));
}

/** Versions in which objects are, or were: all of them are still there. */
function checkStored(stored: readonly string[], versions: readonly JsonObject[], errors: FieldError[]): void {
  const at = 'status.storedVersions';
  const names = versions.map((version) => textAt(version, 'name'));
  if (stored.length === 0) errors.push(invalid(at, [...stored], 'must have a version'));
  const missing = versions.some(
    (version) => version['storage'] === true && !stored.includes(textAt(version, 'name')),
  );
  if (stored.length > 0 && missing)
    errors.push(invalid(at, [...stored], 'must have the version that objects are stored in'));
  for (const [i, version] of stored.entries())
    if (!names.includes(version))
      errors.push(invalid(`${at}[${i}]`, version, 'must be one of spec.versions'));
}

const REVIEW_VERSIONS = ['v1', 'v1beta1'];
const STRATEGIES = ['None', 'Webhook'];

/** How objects become those of another version. The paths are those that clients know. */
function checkConversion(conversion: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const strategy = textAt(conversion, 'strategy');
  const webhook = objectAt(conversion, 'webhook');
  const versions = textsOf(webhook?.['conversionReviewVersions']);
  const client = objectAt(webhook, 'clientConfig');
  const versionsPath = at.child('conversionReviewVersions');
  const clientPath = at.child('webhookClientConfig');
  if (strategy === '') errors.push(required(at.child('strategy')));
  else if (!STRATEGIES.includes(strategy))
    errors.push(notSupported(at.child('strategy'), strategy, STRATEGIES));
  if (strategy !== 'Webhook') {
    if (client !== undefined) errors.push(forbidden(clientPath, 'the strategy is not Webhook'));
    if (versions.length > 0) errors.push(forbidden(versionsPath, 'the strategy is not Webhook'));
    return;
  }
  checkClient(client, clientPath, errors);
  if (versions.length === 0) errors.push(required(versionsPath));
  for (const [i, version] of versions.entries()) {
    if (versions.indexOf(version) < i)
      errors.push(invalid(versionsPath.index(i), version, 'must not be there twice'));
    else addProblems(errors, versionsPath.index(i), version, dns1035LabelProblems(version));
  }
  if (versions.length > 0 && !versions.some((version) => REVIEW_VERSIONS.includes(version)))
    errors.push(invalid(versionsPath, versions, `must have one of ${REVIEW_VERSIONS.join(' and ')}`));
}

function checkClient(client: JsonObject | undefined, at: FieldPath, errors: FieldError[]): void {
  const url = client?.['url'];
  const service = objectAt(client, 'service');
  if ((typeof url === 'string') === (service !== undefined))
    errors.push(required(at, 'must have one of url and service'));
  else if (typeof url === 'string') checkUrl(url, at.child('url'), errors);
  else if (service !== undefined) checkService(service, at.child('service'), errors);
}

/** What names resources never changes; what names kinds doesn't once they are served. */
function checkChange(
  spec: JsonObject,
  old: JsonObject,
  { at, errors }: { readonly at: FieldPath; readonly errors: FieldError[] },
): void {
  const before = objectAt(old, 'spec') ?? {};
  const [names, namesBefore] = [spec, before].map((one) => objectAt(one, 'names') ?? {}) as [
    JsonObject,
    JsonObject,
  ];
  const keep = (
    path: FieldPath,
    value: JsonObject[string] | undefined,
    was: JsonObject[string] | undefined,
  ): void => {
    if (!sameJson(value, was)) errors.push(invalid(path, value, 'field is immutable'));
  };
  keep(at.child('group'), spec['group'], before['group']);
  keep(at.child('names').child('plural'), names['plural'], namesBefore['plural']);
  const isEstablished = objectsAt(objectAt(old, 'status'), 'conditions').some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  if (!isEstablished) return;
  keep(at.child('scope'), spec['scope'], before['scope']);
  keep(at.child('names').child('kind'), names['kind'], namesBefore['kind']);
}
