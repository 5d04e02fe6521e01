import { request } from "undici";

/** Sends an empty form to a host, as a page of an origin would. Returns the status. */
export async function sendForm(
	url: string,
	path: string,
	host: string,
	origin: string,
): Promise<number> {
	// Not every machine can look up the host, and `fetch` would not send another one than that of the URL.
	const { statusCode, body } = await request(url + path, {
		method: "POST",
		headers: { host, origin, "content-type": "application/x-www-form-urlencoded" },
		body: "",
	});
	await body.dump();
	return statusCode;
}
