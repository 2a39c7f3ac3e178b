import type { FieldPath } from '../../../errors/field-path.ts';
import { numberAt, objectsAt, textAt } from '../../../meta/fields.ts';
import type { JsonObject } from '../../../meta/object.ts';
import type { Placed } from '../validate/container-lists.ts';

interface Port {
  readonly at: FieldPath;
  readonly hostIP: string;
  readonly hostPort: number;
}

/** Ports that two containers, or one twice, say they have. */
export function portWarnings(containers: readonly Placed[]): string[] {
  const found: string[] = [];
  const known = new Map<string, Port[]>();
  for (const { container, at } of containers) {
    objectsAt(container, 'ports').forEach((port, i) => {
      const placed = read(port, at.child('ports').index(i));
      if (placed.hostIP !== '' && placed.hostPort === 0)
        found.push(`${String(placed.at)}: hostIP is set without hostPort`);
      const key = `${numberAt(port, 'containerPort')}/${textAt(port, 'protocol')}`;
      const others = known.get(key) ?? [];
      for (const other of others) {
        const how = clash(placed, other);
        if (how !== undefined)
          found.push(`${String(placed.at)}: ${how} port definition with ${String(other.at)}`);
      }
      known.set(key, [...others, placed]);
    });
  }
  return found;
}

function read(port: JsonObject, at: FieldPath): Port {
  return { at, hostIP: textAt(port, 'hostIP'), hostPort: numberAt(port, 'hostPort') };
}

function clash(a: Port, b: Port): string | undefined {
  if (a.hostIP === b.hostIP && a.hostPort === b.hostPort) return 'duplicate';
  if (a.hostPort === 0 || b.hostPort === 0) return 'overlapping';
  const oneIsOpen = (a.hostIP === '') !== (b.hostIP === '');
  return a.hostPort === b.hostPort && oneIsOpen ? 'dangerously ambiguous' : undefined;
}
