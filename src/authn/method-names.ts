import type { UserInfo } from '../request/context.ts';
import { ANONYMOUS, type Authenticator } from './authenticator.ts';

/** By which method users were authenticated, for the audit. A user is known by the object that its method returned. */
export class MethodNames {
  readonly #names = new WeakMap<UserInfo, string>([[ANONYMOUS, 'anonymous']]);

  /** The same method, under a name. */
  named(name: string, method: Authenticator): Authenticator {
    return async (credentials) => {
      const user = await method(credentials);
      if (user !== undefined && !this.#names.has(user)) this.#names.set(user, name);
      return user;
    };
  }

  of(user: UserInfo): string | undefined {
    return this.#names.get(user);
  }
}
