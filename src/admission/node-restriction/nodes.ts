import { objectAt, objectsAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import { labelRules } from './labels.ts';
import type { NodeRestrictionParts, NodeRule } from './parts.ts';

/** A node writes its own Node, and nothing in it that decides what runs there. */
export function nodeRules({ names }: NodeRestrictionParts): NodeRule {
  const forbiddenLabels = labelRules(names);
  return function admitNode(node, { operation, name, object, oldObject }) {
    if (name !== node) return `node ${quote(node)} may not change node ${quote(name)}`;
    if (operation === 'DELETE' || object === undefined) return undefined;
    const refusal = oldObject === undefined ? refuseNew(object) : refuseChange(object, oldObject);
    if (refusal !== undefined) return `node ${quote(node)} may not ${refusal}`;
    const labels = forbiddenLabels(object.metadata.labels, oldObject?.metadata.labels);
    return labels.length === 0
      ? undefined
      : `node ${quote(node)} may not set or change these labels: ${labels.join(', ')}`;
  };
}

function refuseNew(node: ApiObject): string | undefined {
  return objectAt(node, 'spec')?.configSource == null ? undefined : 'set spec.configSource';
}

function refuseChange(node: ApiObject, old: ApiObject): string | undefined {
  const spec = objectAt(node, 'spec');
  const oldSpec = objectAt(old, 'spec');
  if (spec?.configSource != null && !sameJson(spec.configSource, oldSpec?.configSource)) {
    return 'change spec.configSource';
  }
  if (!sameJson(objectsAt(spec, 'taints'), objectsAt(oldSpec, 'taints'))) return 'change its taints';
  const owners = node.metadata.ownerReferences ?? [];
  return sameJson(owners, old.metadata.ownerReferences ?? []) ? undefined : 'change its ownerReferences';
}

/** A name as messages show it. */
export function quote(name: string): string {
  return JSON.stringify(name);
}
