import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { sameContent } from '../generation.ts';
import type { ResourceHooks } from '../hooks.ts';

/** EndpointSlices: labels count as changes too, and nobody writes the topology that nodes and zones have replaced. */
export function endpointSliceHooks(names: NamingProfile): ResourceHooks {
  const hostname = names.get('label.hostname');
  const nodeOf = (endpoint: JsonObject): string => textAt(objectAt(endpoint, 'deprecatedTopology'), hostname);
  const dropTopology = (slice: ApiObject, known: ReadonlySet<string>): void => {
    for (const endpoint of objectsAt(slice, 'endpoints')) {
      const node = nodeOf(endpoint);
      // Who changes a slice of old must not make it forget the node.
      if (textAt(endpoint, 'nodeName') === '' && node !== '' && known.has(node)) endpoint.nodeName = node;
      if (endpoint.deprecatedTopology !== undefined) delete endpoint.deprecatedTopology;
    }
  };
  return {
    warnings: (slice, old) =>
      old === undefined && slice.addressType === 'FQDN'
        ? ['spec.addressType: FQDN endpoints are deprecated']
        : [],
    countsAsChange: (slice, old) =>
      !sameContent(slice, old) || !sameJson(slice.metadata.labels, old.metadata.labels),
    prepareForCreate: (slice) => dropTopology(slice, new Set()),
    prepareForUpdate(slice, old) {
      if (sameJson(slice.endpoints, old.endpoints)) return;
      dropTopology(slice, new Set(objectsAt(old, 'endpoints').map(nodeOf)));
    },
  };
}
