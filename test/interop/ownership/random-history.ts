import type { Exchange } from './both.ts';
import { Dice } from './dice.ts';
import { KINDS, metadata, type Body, type Kind } from './random-kinds.ts';

const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';

const MANAGERS = ['m1', 'm2', 'm3', 'kubectl'];

/** A history of one object: writes by several managers in every way there is. */
export function randomHistory(
  seed: number,
  { namespace, length }: { namespace: string; length: number },
): Exchange[] {
  const dice = new Dice(seed);
  const kind = dice.pick(KINDS);
  const name = `o${seed}`;
  return Array.from({ length }, (_, i) => randomRequest(dice, kind, { namespace, name, first: i === 0 }));
}

function randomRequest(
  dice: Dice,
  kind: Kind,
  { namespace, name, first }: { namespace: string; name: string; first: boolean },
): Exchange {
  const { prefix, apiVersion } = dice.pick(kind.versions);
  const collection = `${prefix}/namespaces/${namespace}/${kind.resource}`;
  const item = `${collection}/${name}`;
  const manager = dice.pick(MANAGERS);
  const who = `fieldManager=${manager}`;
  const head = (meta: Body): Body => ({ apiVersion, kind: kind.kind, metadata: { name, ...meta } });
  const force = dice.happens(0.4) ? '&force=true' : '';
  if (first && dice.happens(0.6)) {
    return {
      method: 'POST',
      path: `${collection}?${who}`,
      body: { ...head(metadata(dice)), ...kind.full(dice, apiVersion) },
    };
  }
  const roll = dice.roll();
  if (first || roll < 0.45) {
    const content = first || dice.happens(0.2) ? kind.full(dice, apiVersion) : kind.partial(dice, apiVersion);
    const body = { ...head(metadata(dice)), ...content };
    return { method: 'PATCH', path: `${item}?${who}${force}`, contentType: APPLY, body };
  }
  if (roll < 0.6) {
    return {
      method: 'PUT',
      path: `${item}?${who}`,
      body: { ...head(metadata(dice)), ...kind.full(dice, apiVersion) },
    };
  }
  if (roll < 0.75) {
    const contentType = dice.pick([MERGE, STRATEGIC]);
    const body = { metadata: metadata(dice), ...kind.partial(dice, apiVersion) };
    return { method: 'PATCH', path: `${item}?${who}`, contentType, body };
  }
  if (roll < 0.78) {
    const managedFields = dice.pick([[{}], []]);
    const body = { metadata: { managedFields, ...metadata(dice) } };
    return { method: 'PATCH', path: `${item}?${who}`, contentType: MERGE, body };
  }
  if (kind.status && roll < 0.9) {
    const content = kind.statusOf(dice, apiVersion);
    return dice.happens(0.5)
      ? {
          method: 'PATCH',
          path: `${item}/status?${who}${force}`,
          contentType: APPLY,
          body: { ...head({}), ...content },
        }
      : {
          method: 'PATCH',
          path: `${item}/status?${who}`,
          contentType: MERGE,
          body: { ...content, metadata: metadata(dice) },
        };
  }
  if (kind.scale) {
    const spec = { replicas: dice.pick([1, 2, 3]) };
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name, namespace }, spec };
    return dice.happens(0.5)
      ? { method: 'PATCH', path: `${item}/scale?${who}${force}`, contentType: APPLY, body: scale }
      : { method: 'PUT', path: `${item}/scale?${who}`, body: scale };
  }
  return { method: 'GET', path: item };
}
