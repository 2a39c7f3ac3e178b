import { defineDescriber } from '../describer.ts';
import type { Description } from '../description.ts';
import type { Described, Pairs } from '../objects.ts';
import { labelText, writeHead, writeValues } from '../parts/metadata.ts';

interface PriorityClass extends Described {
  readonly value?: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
  readonly description?: string;
}

interface TopologyTerm {
  readonly matchLabelExpressions?: readonly { readonly key?: string; readonly values?: readonly string[] }[];
}

interface StorageClass extends Described {
  readonly provisioner?: string;
  readonly parameters?: Pairs;
  readonly allowVolumeExpansion?: boolean;
  readonly mountOptions?: readonly string[];
  readonly reclaimPolicy?: string;
  readonly volumeBindingMode?: string;
  readonly allowedTopologies?: readonly TopologyTerm[];
}

interface VolumeAttributesClass extends Described {
  readonly driverName?: string;
  readonly parameters?: Pairs;
}

interface IngressClass extends Described {
  readonly spec?: {
    readonly controller?: string;
    readonly parameters?: {
      readonly apiGroup?: string | null;
      readonly kind?: string;
      readonly name?: string;
    };
  };
}

export const priorityClass = defineDescriber<PriorityClass>({
  write(page, { metadata, ...fields }) {
    page.row('Name', metadata.name ?? '');
    page.row('Value', fields.value ?? 0);
    page.row('GlobalDefault', fields.globalDefault === true);
    page.row('PreemptionPolicy', fields.preemptionPolicy ?? '');
    page.row('Description', fields.description ?? '');
    page.row('Annotations', labelText(metadata.annotations));
  },
});

export const storageClass = defineDescriber<StorageClass>({
  write(page, { metadata, ...fields }, { names }) {
    const { annotations = {} } = metadata;
    const { allowVolumeExpansion: expands, mountOptions = [], allowedTopologies } = fields;
    const marks = [names.get('storage.default-class'), names.get('storage.default-class-beta')];
    page.row('Name', metadata.name ?? '');
    page.row('IsDefaultClass', marks.some((mark) => annotations[mark] === 'true') ? 'Yes' : 'No');
    page.row('Annotations', labelText(annotations));
    page.row('Provisioner', fields.provisioner ?? '');
    page.row('Parameters', labelText(fields.parameters));
    page.row('AllowVolumeExpansion', expands === undefined ? '<unset>' : expands ? 'True' : 'False');
    page.line(mountOptions.length === 0 ? 'MountOptions:\t<none>' : 'MountOptions:');
    for (const option of mountOptions) page.line(option, 1);
    if (fields.reclaimPolicy !== undefined) page.row('ReclaimPolicy', fields.reclaimPolicy);
    if (fields.volumeBindingMode !== undefined) page.row('VolumeBindingMode', fields.volumeBindingMode);
    if (allowedTopologies !== undefined) writeTopologies(page, allowedTopologies);
  },
});

function writeTopologies(page: Description, terms: readonly TopologyTerm[]): void {
  page.text('AllowedTopologies:\t');
  page.end(terms.length === 0 ? '<none>' : '');
  for (const [i, { matchLabelExpressions = [] }] of terms.entries()) {
    const texts = matchLabelExpressions.map(({ key = '', values = [] }) =>
      values.length === 0 ? `${key} in` : `${key} in [${values.join(', ')}]`,
    );
    writeValues(page, `Term ${i}`, texts, 1);
  }
}

export const volumeAttributesClass = defineDescriber<VolumeAttributesClass>({
  write(page, { metadata, driverName = '', parameters }) {
    page.row('Name', metadata.name ?? '');
    page.row('Annotations', labelText(metadata.annotations));
    page.row('DriverName', driverName);
    page.row('Parameters', labelText(parameters));
  },
});

export const ingressClass = defineDescriber<IngressClass>({
  write(page, { metadata, spec = {} }, world) {
    writeHead(page, metadata, world, { namespace: false });
    page.row('Controller', spec.controller ?? '');
    if (spec.parameters === undefined) return;
    const { apiGroup, kind = '', name = '' } = spec.parameters;
    page.line('Parameters:');
    if (apiGroup) page.row('APIGroup', apiGroup, 1);
    page.row('Kind', kind, 1);
    page.row('Name', name, 1);
  },
});
