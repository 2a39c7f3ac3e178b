import { followResource } from '../../store/follow.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import { rowOf, type Controller, type ControllerParts, type RunningController } from '../controller.ts';
import { isOutdated, keyedWork } from '../keyed-work.ts';

export interface FlowControlUpkeep {
  /** Names, by kind, of the objects that every server has. */
  readonly names: Readonly<Record<string, ReadonlySet<string>>>;
  /** Makes them as they should be. */
  readonly ensure: () => Promise<void>;
}

const KINDS = ['FlowSchema', 'PriorityLevelConfiguration'];
const RESOURCES: Readonly<Record<string, string>> = {
  FlowSchema: 'flowschemas',
  PriorityLevelConfiguration: 'prioritylevelconfigurations',
};

/** Keeps the flow-control configuration that every server has: when one of its objects has changed, or is gone. */
export function flowControlUpkeep(upkeep: FlowControlUpkeep): Controller {
  return {
    name: 'api-priority-and-fairness-config-producer-v1',
    start: (parts) => keep(parts, upkeep),
  };
}

function keep(parts: ControllerParts, { names, ensure }: FlowControlUpkeep): RunningController {
  const { clock, log, schemas } = parts;
  const work = keyedWork({ clock, log, work: ensure, expects: isOutdated });
  const group = parts.names.get('group.flowcontrol');
  const followings = KINDS.map((kind) => {
    const row = rowOf(schemas, [group, 'v1', RESOURCES[kind] ?? '']);
    const ours = names[kind] ?? new Set();
    const generations = new Map<string, string>();
    let begun = false;
    return followResource(parts, row, {
      set(entry) {
        if (!ours.has(entry.name)) return;
        const content = contentOf(entry);
        if (begun && generations.get(entry.name) !== content) work.add(kind);
        generations.set(entry.name, content);
      },
      remove(_, name) {
        if (!ours.has(name)) return;
        generations.delete(name);
        work.add(kind);
      },
      // The start has seen to what there was then.
      told: () => void (begun = true),
    });
  });
  return {
    close() {
      for (const following of followings) following.close();
      work.close();
    },
  };
}

/** What an object says apart from its status. */
function contentOf(entry: StoredEntry): string {
  const { generation, annotations } = entry.object().metadata;
  return JSON.stringify([entry.uid, generation, annotations]);
}
