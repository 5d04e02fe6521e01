/**
 * Stands for the browser of the phone. In an Expo app, this is `WebBrowser.openAuthSessionAsync()`. It
 * keeps cookies, and follows redirects until one leads to a URL of the app.
 */
export async function openBrowser(start: URL, scheme: string): Promise<URL> {
	const cookies = new Map<string, string>();
	let url = start;
	for (let redirects = 0; url.protocol !== scheme; redirects += 1) {
		const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
		const response = await fetch(url, { redirect: "manual", headers: { cookie } });
		for (const set of response.headers.getSetCookie()) {
			const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
			cookies.set(name, value);
		}
		const location = response.headers.get("location");
		if (!location || redirects > 20)
			throw new Error(`The browser stays at ${url}: ${await response.text()}`);
		url = new URL(location, url);
	}
	return url;
}
