const { SERVER, NAMESPACE, TOKEN } = process.env;

/** Asks and tells; an answer other than 200 fails the test. */
async function check(path, headers = {}) {
  const answer = await fetch(SERVER + path, { headers, signal: AbortSignal.timeout(10_000) });
  const text = await answer.text();
  console.log(`${answer.status} ${path}`);
  if (answer.status !== 200) throw new Error(text);
  return text;
}

await check('/readyz');
console.log(JSON.parse(await check('/version')).gitVersion);
await check(`/api/v1/namespaces/${NAMESPACE}`, { authorization: `Bearer ${TOKEN}` });
