import type { ApiResource } from '../api/resource.ts';
import type { ResourceMapper } from '../api/resource-mapper.ts';
import { CtlError, UsageError } from '../errors.ts';

/** One thing that a command line names: an object, or all objects of a resource. */
export interface Target {
  readonly resource: ApiResource;
  readonly name?: string;
  /** Where it is, when it isn't in the namespace of the command. */
  readonly namespace?: string | undefined;
}

/** What resource arguments name. */
export interface NamedTargets {
  readonly targets: readonly Target[];
  /** One object by its name: shown as itself, not as a list. */
  readonly single: boolean;
  /** The resources' types as written, for messages. */
  readonly words: readonly string[];
}

export interface ArgumentRules {
  /** Whether `TYPE` alone may stand for all its objects, as for get; otherwise a selector or `--all` must ask for that. */
  readonly allByType: boolean;
}

/**
 * Reads `TYPE`, `TYPE,TYPE`, `TYPE NAME ...` and `TYPE/NAME ...`, where a type may be a category such as `all`.
 *
 * @throws CtlError for types that the server doesn't have, and for arguments that don't go together.
 */
export function parseResourceArguments(
  mapper: ResourceMapper,
  args: readonly string[],
  { allByType }: ArgumentRules,
): NamedTargets {
  if (args.some((arg) => arg.includes('/'))) return pairs(mapper, args);
  const [first, ...names] = args;
  if (first === undefined) throw new UsageError('the type of resource is missing');
  const words = first.split(',').filter((word) => word !== '');
  if (words.length === 0) throw new UsageError('arguments must consist of a resource or a resource and name');
  const resources = words.flatMap((word) => resourcesOf(mapper, word));
  if (names.length === 0) {
    if (!allByType) {
      throw new CtlError('resource(s) were provided, but no name was specified', {
        hint: 'Name the objects, or choose them with -l or --all.',
      });
    }
    return { targets: unique(resources).map((resource) => ({ resource })), single: false, words };
  }
  const targets = unique(resources).flatMap((resource) => names.map((name) => ({ resource, name })));
  return { targets, single: targets.length === 1, words };
}

/** A word's resources; several for a category. */
function resourcesOf(mapper: ResourceMapper, word: string): readonly ApiResource[] {
  const found = mapper.lookUp(word);
  if (found !== undefined) return [found];
  const category = word.includes('.') ? [] : mapper.inCategory(word);
  return category.length > 0 ? category : [mapper.find(word)];
}

function unique(resources: readonly ApiResource[]): readonly ApiResource[] {
  return [...new Set(resources)];
}

function pairs(mapper: ResourceMapper, args: readonly string[]): NamedTargets {
  const targets = args.map((arg): Target => {
    const [type = '', name = '', more] = arg.split('/');
    if (more !== undefined) {
      throw new UsageError(`arguments in resource/name form may not have more than one slash: ${arg}`);
    }
    if (!arg.includes('/')) {
      throw new UsageError(
        `there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'orchctl get resource/<resource_name>' instead of 'orchctl get resource resource/<resource_name>'`,
      );
    }
    if (type === '' || name === '') {
      throw new UsageError(`arguments in resource/name form must have a single resource and name: ${arg}`);
    }
    return { resource: mapper.find(type), name };
  });
  return { targets, single: targets.length === 1, words: args };
}
