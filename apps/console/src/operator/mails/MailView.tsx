import { useEffect, useRef } from "react";
import type { MailPreview } from "../api/mails";

/** Shows an email as an email program does. */
export function MailView({ mail }: { mail: MailPreview }) {
	const frame = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (frame.current) show(frame.current, mail.html);
	}, [mail.html]);
	return (
		<div className="mail-view">
			<p className="mail-subject">{mail.subject}</p>
			<div ref={frame} />
			<details className="more">
				<summary>As plain text</summary>
				<p className="email-text break">{mail.text}</p>
			</details>
		</div>
	);
}

/**
 * The styles of the console do not reach into a shadow root. The content security policy of the page forbids
 * styles in markup, also in markup that is only parsed, but not those that a script sets. In the text of a
 * mail, quotation marks are escaped. Links lead nowhere.
 */
function show(host: HTMLElement, html: string): void {
	const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
	const markup = html.replaceAll(' style="', ' data-style="');
	const { body } = new DOMParser().parseFromString(markup, "text/html");
	const container = document.createElement("div");
	container.style.cssText = body.dataset.style ?? "";
	container.append(...Array.from(body.childNodes, (node) => document.importNode(node, true)));
	for (const element of container.querySelectorAll<HTMLElement>("[data-style]")) {
		element.style.cssText = element.dataset.style ?? "";
	}
	for (const link of container.querySelectorAll("a")) link.removeAttribute("href");
	root.replaceChildren(container);
}
