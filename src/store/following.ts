/** Something that is kept up to date. */
export interface Following {
  /** Resolves once all is known that there was when it began. */
  readonly ready: Promise<void>;
  close(): void;
}

/** Begins when it is first asked whether it is ready: what nobody needs to know is never read. */
export function followOnDemand(begin: () => Following): Following {
  let following: Following | undefined;
  let closed = false;
  return {
    get ready() {
      if (closed && following === undefined) return Promise.resolve();
      following ??= begin();
      return following.ready;
    },
    close() {
      closed = true;
      following?.close();
    },
  };
}
