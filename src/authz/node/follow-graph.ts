import type { Clock } from '../../lib/clock.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import { followResource, type Follower } from '../../store/follow.ts';
import { joinFollowing, type Following } from '../../store/following.ts';
import type { ObjectStore, StoredEntry } from '../../store/object-store.ts';
import { paced } from '../../store/paced-follower.ts';
import type { NodeGraph } from './graph.ts';
import { hasClaimTemplates, podReferences } from './pod-references.ts';
import { volumeSecrets } from './volume-secrets.ts';

/** The rows of what leads to nodes; absent is what isn't served. */
export interface GraphResources {
  readonly pods: ResourceDefinition | undefined;
  readonly persistentVolumes: ResourceDefinition | undefined;
  readonly volumeAttachments: ResourceDefinition | undefined;
  readonly resourceSlices: ResourceDefinition | undefined;
}

export interface GraphParts {
  readonly store: ObjectStore;
  readonly clock: Clock;
  /** The annotation of pods that stand for those which a node runs by itself. */
  readonly mirror: string;
  /** Told how long a change of the graph took, seconds. */
  readonly observe: (operation: string, seconds: number) => void;
}

/** Keeps `graph` up to date with a store. */
export function followGraph(parts: GraphParts, resources: GraphResources, graph: NodeGraph): Following {
  const followers = [
    [resources.pods, timed(parts, 'Pod', podFollower(graph, parts.mirror))],
    [resources.persistentVolumes, timed(parts, 'PV', volumeFollower(graph))],
    [resources.volumeAttachments, timed(parts, 'VolumeAttachment', nodeFollower(graph, 'attachment'))],
    [resources.resourceSlices, timed(parts, 'ResourceSlice', nodeFollower(graph, 'slice'))],
  ] as const;
  const all = followers.flatMap(([row, follower]) =>
    row === undefined ? [] : [followPaced(parts, row, follower)],
  );
  return joinFollowing(all);
}

function followPaced(parts: GraphParts, row: ResourceDefinition, follower: Follower): Following {
  const slow = paced(follower);
  const following = followResource(parts, row, slow);
  return { ready: following.ready.then(() => slow.settled()), close: () => following.close() };
}

/** What a pod refers to can't change while it is on its node, save for claims that are made for it. */
function podFollower(graph: NodeGraph, mirror: string): Follower {
  const templated = new Set<string>();
  const forget = (namespace: string, name: string): void => {
    templated.delete(`${namespace}/${name}`);
    graph.removePod(namespace, name);
  };
  return {
    set(entry) {
      const { namespace, name, uid } = entry;
      const node = entry.field('spec.nodeName');
      if (node === '') {
        forget(namespace, name);
        return;
      }
      const key = `${namespace}/${name}`;
      if (graph.hasPod(namespace, name, { uid, node }) && !templated.has(key)) return;
      const pod = entry.object();
      if (hasClaimTemplates(pod)) templated.add(key);
      else templated.delete(key);
      graph.setPod(namespace, name, { uid, node, references: podReferences(pod, mirror) });
    },
    remove: forget,
  };
}

function volumeFollower(graph: NodeGraph): Follower {
  return {
    set(entry) {
      const volume = entry.object();
      const claim = objectAt(objectAt(volume, 'spec'), 'claimRef');
      if (claim === undefined) {
        graph.removeVolume(entry.name);
        return;
      }
      const namespace = textAt(claim, 'namespace');
      const reference = { type: 'claim', namespace, name: textAt(claim, 'name') } as const;
      graph.setVolume(entry.name, reference, volumeSecrets(volume, namespace));
    },
    remove: (_, name) => graph.removeVolume(name),
  };
}

function nodeFollower(graph: NodeGraph, type: 'attachment' | 'slice'): Follower {
  return {
    set: (entry: StoredEntry) =>
      graph.setNode(type, entry.name, textAt(objectAt(entry.object(), 'spec'), 'nodeName')),
    remove: (_, name) => graph.removeNode(type, name),
  };
}

function timed({ clock, observe }: GraphParts, kind: string, follower: Follower): Follower {
  const measured = (operation: string, work: () => void): void => {
    const since = clock.monotonic();
    work();
    observe(operation, (clock.monotonic() - since) / 1000);
  };
  return {
    set: (entry) => measured(`Add${kind}`, () => follower.set(entry)),
    remove: (namespace, name, last) =>
      measured(`Delete${kind}`, () => follower.remove(namespace, name, last)),
  };
}
