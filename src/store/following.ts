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

/** Several at once. */
export function joinFollowing(all: readonly Following[]): Following {
  return {
    ready: Promise.all(all.map(({ ready }) => ready)).then(() => undefined),
    close() {
      for (const following of all) following.close();
    },
  };
}

/** What a decision waits for: undefined once there is nothing to wait for. */
export type WhenKnown = () => Promise<void> | undefined;

/** Waits for what `following` gives, which may come later. */
export function whenReady(following: () => Following | undefined): WhenKnown {
  let ready = false;
  return () =>
    ready
      ? undefined
      : following()?.ready.then(() => {
          ready = true;
        });
}
