/**
 * Moves the client's secret from the form into the `Authorization` header. The plugin accepts the one way
 * only in which a client is registered, and libraries differ in their default.
 *
 * A request that uses two ways stays as it is: the plugin refuses it.
 *
 * @returns the header, or `null` if there is nothing to move
 */
export function moveSecret(headers: Headers, form: URLSearchParams): string | null {
	const [clientId, secret] = [form.get("client_id"), form.get("client_secret")];
	if (clientId === null || secret === null) return null;
	if (headers.has("authorization") || form.has("client_assertion")) return null;
	form.delete("client_secret");
	// RFC 6749, section 2.3.1: both parts are form-encoded before they are joined.
	const pair = [clientId, secret].map(encode).join(":");
	return `Basic ${Buffer.from(pair).toString("base64")}`;
}

const encode = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
