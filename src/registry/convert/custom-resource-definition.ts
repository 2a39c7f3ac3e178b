import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { objectAt, objectsAt } from '../../meta/fields.ts';
import { compact } from './autoscaler-metrics.ts';
import { applyMoves } from './moves.ts';

/** What may stand in the spec, for all versions. */
const FOR_ALL_VERSIONS = ['subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

/**
 * Takes a definition from v1beta1, as the Go API server stores them, to v1: a version, its schema, columns and
 * subresources stood in the spec where all versions had the same.
 */
export function definitionToV1(definition: ApiObject): void {
  const spec = objectAt(definition, 'spec');
  if (spec === undefined || !definition.apiVersion.endsWith('/v1beta1')) return;
  applyMoves(spec, [
    { at: ['conversion'], from: ['webhookClientConfig'], to: ['webhook', 'clientConfig'] },
    { at: ['conversion'], from: ['conversionReviewVersions'], to: ['webhook', 'conversionReviewVersions'] },
  ]);
  spec.preserveUnknownFields ??= true;
  spec.conversion ??= { strategy: 'None' };
  spec.versions = versionsOf(spec).map((version) => completeVersion(version, spec));
  for (const field of ['version', 'validation', ...FOR_ALL_VERSIONS]) delete spec[field];
}

function versionsOf(spec: JsonObject): JsonObject[] {
  const versions = objectsAt(spec, 'versions');
  const { version } = spec;
  if (versions.length > 0 || typeof version !== 'string' || version === '') return versions;
  return [{ name: version, served: true, storage: true }];
}

function completeVersion(version: JsonObject, spec: JsonObject): JsonObject {
  const common = Object.fromEntries(FOR_ALL_VERSIONS.map((field) => [field, spec[field]]));
  const complete = { ...version, ...compact(common), schema: spec.validation ?? version.schema };
  for (const column of objectsAt(complete, 'additionalPrinterColumns')) {
    applyMoves(column, [{ from: ['JSONPath'], to: ['jsonPath'] }]);
  }
  return compact(complete);
}
