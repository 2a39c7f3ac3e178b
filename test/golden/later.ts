/** Every step of a scenario but some. */
function steps(reason: string, numbers: readonly number[]): { steps: Record<number, string> } {
  return { steps: Object.fromEntries(numbers.map((number) => [number, reason])) };
}

/**
 * Exchanges of the corpus that need a part which doesn't exist yet: scenario -> number of the step -> what it needs.
 * A listed step that passes fails the suite, so that the list stays true.
 */
export const LATER: Readonly<Record<string, { readonly steps: Readonly<Record<number, string>> }>> = {
  'kinds/apiregistration-k8s-io-v1-apiservices': steps('the availability of API services', [2]),
};
