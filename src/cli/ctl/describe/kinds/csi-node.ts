import { defineDescriber } from '../describer.ts';
import type { Described } from '../objects.ts';
import { writeHead } from '../parts/metadata.ts';
import { longTime } from '../times.ts';

interface CSINode extends Described {
  readonly spec?: {
    readonly drivers?: readonly {
      readonly name?: string;
      readonly nodeID?: string;
      readonly topologyKeys?: readonly string[] | null;
      readonly allocatable?: { readonly count?: number };
    }[];
  };
}

export const csiNode = defineDescriber<CSINode>({
  write(page, { metadata, spec = {} }, world) {
    writeHead(page, metadata, world, { namespace: false });
    page.row('CreationTimestamp', longTime(metadata.creationTimestamp));
    page.line('Spec:');
    if (spec.drivers !== undefined) page.line('Drivers:', 1);
    for (const { name = '', nodeID = '', topologyKeys, allocatable } of spec.drivers ?? []) {
      page.line(`${name}:`, 2);
      page.row('Node ID', nodeID, 3);
      if (allocatable?.count !== undefined) {
        page.line('Allocatables:', 3);
        page.row('Count', allocatable.count, 4);
      }
      if (topologyKeys) page.row('Topology Keys', `[${topologyKeys.join(' ')}]`, 3);
    }
  },
});
