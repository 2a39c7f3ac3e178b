import type { AdmissionOperation, AdmissionRequest } from '../../admission/admission.ts';
import { formatGroupVersion, type ApiObject, type JsonObject } from '../../meta/object.ts';
import type { WriteContext } from '../../registry/hooks.ts';
import type { BodySettings } from '../body.ts';
import type { VerbTools } from '../dependencies.ts';
import type { WriteOptions } from '../options/write-options.ts';
import type { VerbRequest } from '../result.ts';

/** One create, update or patch on its way. */
export interface Writing {
  readonly dependencies: VerbTools;
  readonly request: VerbRequest;
  readonly options: WriteOptions;
  /** Which rules apply: '' for those of the object itself, else the subresource that changes a part of it. */
  readonly part: string;
  /** Milliseconds since 1970: the one time that everything this write stamps carries. */
  readonly now: number;
  /** Records who owns what afterwards. */
  readonly own: RecordOwnership;
}

/** Records in `next` who owns what after a request turns `old` (undefined: nothing) into it. */
export type RecordOwnership = (writing: Writing, old: ApiObject | undefined, next: ApiObject) => void;

/** How this write's body is read. */
export function settingsOf({ dependencies, request, options }: Writing): BodySettings {
  const hooks = dependencies.hooksOf(request.resource);
  const { parsers } = dependencies;
  return { fieldValidation: options.fieldValidation, defaults: hooks.defaults, parsers };
}

/** What admission is asked, for one run of a write. */
export function admissionRequest(
  writing: Writing,
  operation: AdmissionOperation,
  object: ApiObject,
  oldObject: ApiObject | undefined,
): AdmissionRequest {
  const { request, options } = writing;
  const { context, resource } = request;
  const name = object.metadata.name ?? request.name;
  return {
    operation,
    resource,
    subresource: request.subresource?.name ?? '',
    namespace: admissionNamespace(request, name),
    name,
    object,
    oldObject,
    options: optionsObject(writing, operation),
    dryRun: options.dryRun,
    user: context.user,
    signal: context.signal,
    warn: (text) => context.warn(text),
    annotate: (name, text) => context.annotate(name, text),
  };
}

/** A namespace counts as being in itself. */
export function admissionNamespace({ resource, namespace }: VerbRequest, name: string): string {
  return resource.group === '' && resource.resource === 'namespaces' ? name : namespace;
}

/** The options as the object that admission webhooks and policies see. */
function optionsObject({ dependencies, options }: Writing, operation: AdmissionOperation): JsonObject {
  return {
    kind: operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions',
    apiVersion: formatGroupVersion(dependencies.names.get('group.meta'), 'v1'),
    ...(options.dryRun ? { dryRun: ['All'] } : {}),
    ...(options.fieldManager === '' ? {} : { fieldManager: options.fieldManager }),
    fieldValidation: options.fieldValidation,
  };
}

/** What hooks are told about this write. */
export function hookContext({ request, now }: Writing): WriteContext & Required<Pick<WriteContext, 'warn'>> {
  const { context } = request;
  return { now, user: context.user, warn: (text) => context.warn(text) };
}

/** This write's time, as objects carry it. */
export function timestamp({ dependencies, now }: Writing): string {
  return dependencies.formatTime(now);
}
