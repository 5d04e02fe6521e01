import { act } from "react";
import { onTestFinished, vi } from "vitest";
import { until } from "./time";

type Callbacks = {
	sitekey: string;
	callback: (solution: string) => void;
	"expired-callback": () => void;
	"error-callback": () => void;
};

type Widget = { box: HTMLElement; options: Callbacks };

const NAMES = { turnstile: "turnstile", hcaptcha: "hcaptcha", recaptcha: "grecaptcha" };

/**
 * The script of a captcha provider, which no test loads. It is there as soon as `load` is called.
 */
export function fakeCaptcha(provider: keyof typeof NAMES = "turnstile") {
	const globals = window as unknown as Record<string, unknown>;
	const scripts: HTMLScriptElement[] = [];
	const widgets: Widget[] = [];
	const removed: number[] = [];
	const resets: number[] = [];
	const append = document.head.append.bind(document.head);
	const spy = vi.spyOn(document.head, "append").mockImplementation((...nodes) => {
		const [script] = nodes;
		// Not into the document: it would load.
		if (script instanceof HTMLScriptElement) scripts.push(script);
		else append(...nodes);
	});
	onTestFinished(() => {
		spy.mockRestore();
		delete globals[NAMES[provider]];
		delete globals.captchaLoaded;
	});
	const api = {
		render: (box: HTMLElement, options: Callbacks) => widgets.push({ box, options }) - 1,
		reset: (id: number) => resets.push(id),
		...(provider === "recaptcha" ? {} : { remove: (id: number) => removed.push(id) }),
	};
	const last = () => widgets.at(-1)?.options;
	return {
		/** The settings of the page. */
		meta: { captcha: JSON.stringify({ provider, siteKey: "site-key" }) },
		scripts,
		widgets,
		resets,
		removed,
		/** The script of the provider runs. */
		async load() {
			await until(() => scripts.length > 0);
			await act(async () => {
				globals[NAMES[provider]] = api;
				(globals.captchaLoaded as () => void)();
			});
		},
		/** A content blocker stops the script. */
		async block() {
			await until(() => scripts.length > 0);
			await act(async () => scripts.at(-1)?.dispatchEvent(new Event("error")));
		},
		solve: (solution: string) => act(async () => last()?.callback(solution)),
		expire: () => act(async () => last()?.["expired-callback"]()),
		fail: () => act(async () => last()?.["error-callback"]()),
	};
}
