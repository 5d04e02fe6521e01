export interface HtmlForm {
	action: string;
	method: string;
	fields: URLSearchParams;
	/** Whether the page sends it off by itself. */
	sendsItself: boolean;
}

/** The first form of a page, with what its fields hold. */
export function findForm(page: string): HtmlForm | null {
	const [, attributes = "", content = ""] = /<form([^>]*)>([\s\S]*?)<\/form>/i.exec(page) ?? [];
	if (!content) return null;
	const fields = new URLSearchParams();
	for (const [, input = ""] of content.matchAll(/<input([^>]*)>/gi)) {
		const name = attribute(input, "name");
		if (name) fields.append(name, attribute(input, "value") ?? "");
	}
	return {
		action: attribute(attributes, "action") ?? "",
		method: (attribute(attributes, "method") ?? "get").toUpperCase(),
		fields,
		sendsItself: /\.submit\(\)/.test(page),
	};
}

function attribute(tag: string, name: string): string | undefined {
	const value = new RegExp(`\\b${name}="([^"]*)"`, "i").exec(tag)?.[1];
	return value
		?.replaceAll("&lt;", "<")
		.replaceAll("&gt;", ">")
		.replaceAll("&quot;", '"')
		.replaceAll("&#39;", "'")
		.replaceAll("&#x27;", "'")
		.replaceAll("&amp;", "&");
}
