import { badRequestError } from '../../errors/status-errors.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { userInfoOf, type Review, type TokenQuestions } from './reviews.ts';

/** Whose token is this? */
export function tokenReview(tokens: TokenQuestions): Review {
  return async function review(question, { notes }) {
    const spec = objectAt(question, 'spec');
    const token = textAt(spec, 'token');
    if (token === '') throw badRequestError('spec.token is missing: a review is about a token');
    const asked = (spec?.['audiences'] ?? []) as readonly string[];
    const audiences = asked.length === 0 ? tokens.audiences : asked;
    return { ...question, status: await answer(tokens.authenticate(token, audiences, notes)) };
  };
}

async function answer(asked: ReturnType<TokenQuestions['authenticate']>): Promise<JsonObject> {
  try {
    const known = await asked;
    if (known === undefined) return { error: 'invalid bearer token' };
    return { authenticated: true, user: userInfoOf(known.user), audiences: [...known.audiences] };
  } catch (reason) {
    return { error: reason instanceof Error ? reason.message : String(reason) };
  }
}
