import { invalid, required, type FieldError } from '../../errors/field-error.ts';
import type { JsonObject } from '../../meta/object.ts';
import { pathInfo, resourceInfo, type RequestInfo } from '../../request/request-info.ts';
import { objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';

const NEEDS_VALUES = new Set(['In', 'NotIn']);
const HAS_NO_VALUES = new Set(['Exists', 'DoesNotExist']);

/** What is wrong with what a review asks for. */
export function accessErrors(spec: JsonObject | undefined): FieldError[] {
  const resource = objectAt(spec, 'resourceAttributes');
  const path = objectAt(spec, 'nonResourceAttributes');
  if (resource !== undefined && path !== undefined) {
    return [invalid('spec.nonResourceAttributes', path, 'a review is about a resource or about a path')];
  }
  if (resource === undefined && path === undefined) {
    return [invalid('spec.resourceAttributes', null, 'a review is about a resource or about a path')];
  }
  return ['fieldSelector', 'labelSelector'].flatMap((field) => {
    const selector = objectAt(resource, field);
    return selector === undefined ? [] : selectorErrors(selector, `spec.resourceAttributes.${field}`);
  });
}

function selectorErrors(selector: JsonObject, path: string): FieldError[] {
  const raw = textAt(selector, 'rawSelector');
  const requirements = objectsAt(selector, 'requirements');
  if (raw !== '' && requirements.length > 0) {
    return [invalid(`${path}.rawSelector`, raw, 'a selector is a text or a list of requirements')];
  }
  if (raw === '' && requirements.length === 0) {
    return [required(`${path}.requirements`, 'a selector is a text or a list of requirements')];
  }
  return requirements.flatMap((one, i) => requirementErrors(one, `${path}.requirements[${i}]`));
}

function requirementErrors(requirement: JsonObject, path: string): FieldError[] {
  const operator = textAt(requirement, 'operator');
  const values = sizeOf(requirement['values']);
  const errors: FieldError[] = [];
  if (textAt(requirement, 'key') === '') errors.push(required(`${path}.key`));
  if (operator === '') errors.push(required(`${path}.operator`));
  if (NEEDS_VALUES.has(operator) && values === 0) errors.push(required(`${path}.values`));
  if (HAS_NO_VALUES.has(operator) && values > 0) {
    errors.push(invalid(`${path}.values`, requirement['values'], `${operator} compares with no values`));
  }
  return errors;
}

/** The request that a review is about. */
export function reviewedRequest(spec: JsonObject | undefined): RequestInfo {
  const resource = objectAt(spec, 'resourceAttributes');
  if (resource === undefined) {
    const asked = objectAt(spec, 'nonResourceAttributes');
    return pathInfo(textAt(asked, 'path'), { verb: textAt(asked, 'verb') });
  }
  return resourceInfo({
    verb: textAt(resource, 'verb'),
    group: textAt(resource, 'group'),
    version: textAt(resource, 'version') || '*',
    namespace: textAt(resource, 'namespace'),
    resource: textAt(resource, 'resource'),
    subresource: textAt(resource, 'subresource'),
    name: textAt(resource, 'name'),
  });
}
