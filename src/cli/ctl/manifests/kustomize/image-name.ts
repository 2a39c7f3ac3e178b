import type { ImageRule } from './kustomization.ts';

const REST = /^(?::[a-zA-Z0-9_.{}-]*)?(?:@sha256:[a-zA-Z0-9_.{}-]*)?$/;

/** What a rule makes of image names: others stay as they are. */
export function renamedImage({
  name,
  newName,
  newTag,
  digest,
  tagSuffix,
}: ImageRule): (image: string) => string {
  return (image) => {
    if (!image.startsWith(name) || !REST.test(image.slice(name.length))) return image;
    const old = splitImage(image);
    const changed = {
      name: newName || old.name,
      ...(newTag || digest
        ? { tag: newTag ?? '', digest: digest ?? '' }
        : tagSuffix
          ? { tag: `${old.tag}${tagSuffix}`, digest: '' }
          : { tag: old.tag, digest: old.digest }),
    };
    return `${changed.name}${changed.tag && `:${changed.tag}`}${changed.digest && `@${changed.digest}`}`;
  };
}

/** A registry's port is no tag. */
function splitImage(image: string): { name: string; tag: string; digest: string } {
  const at = image.indexOf('@');
  const digest = at < 0 ? '' : image.slice(at + 1);
  const rest = at < 0 ? image : image.slice(0, at);
  const colon = rest.indexOf(':', Math.max(rest.indexOf('/'), 0));
  if (colon < 0) return { name: rest, tag: '', digest };
  return { name: rest.slice(0, colon), tag: rest.slice(colon + 1), digest };
}
