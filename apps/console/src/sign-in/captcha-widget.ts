import type { CaptchaSettings } from "../api/page-location";
import { shownTheme } from "../ui/theme";

/** What the scripts of all providers can do. */
type CaptchaApi = {
	render: (box: HTMLElement, options: Record<string, unknown>) => string | number;
	reset: (widget: string | number) => void;
	/** reCAPTCHA cannot. */
	remove?: (widget: string | number) => void;
};

type Globals = { captchaLoaded?: () => void } & Record<string, CaptchaApi | undefined>;

const globals = () => window as unknown as Globals;

const SCRIPTS = {
	turnstile: { name: "turnstile", url: "https://challenges.cloudflare.com/turnstile/v0/api.js" },
	hcaptcha: { name: "hcaptcha", url: "https://js.hcaptcha.com/1/api.js" },
	recaptcha: { name: "grecaptcha", url: "https://www.google.com/recaptcha/api.js" },
};

const language = () => document.documentElement.lang;

/** Loads the script of a provider, unless it is there already. */
function load({ provider }: CaptchaSettings): Promise<CaptchaApi> {
	const { name, url } = SCRIPTS[provider];
	const loaded = globals()[name];
	if (loaded) return Promise.resolve(loaded);
	return new Promise((resolve, reject) => {
		const query = new URLSearchParams({
			render: "explicit",
			onload: "captchaLoaded",
			hl: language(),
		});
		const src = `${url}?${query}`;
		globals().captchaLoaded = () => {
			const api = globals()[name];
			if (api) resolve(api);
			else reject(new Error(`The script of ${provider} has no ${name}.`));
		};
		// It still loads if the user has gone on to another form in the meantime.
		const known = [...document.scripts].find((script) => script.src === src);
		const script = known ?? Object.assign(document.createElement("script"), { src, async: true });
		script.addEventListener("error", () => {
			script.remove();
			reject(new Error(`The script of ${provider} did not load.`));
		});
		if (!known) document.head.append(script);
	});
}

/** The widgets have a fixed width. */
const NORMAL_WIDTH_PX = 304;

type CaptchaEvents = {
	/** The solution is empty if it has expired. */
	onSolution: (solution: string) => void;
	onError: () => void;
};

export type CaptchaWidget = {
	/** Asks again. A solution works once. */
	reset: () => void;
	remove: () => void;
};

/** Shows the widget of the provider in a box. */
export function showCaptcha(
	box: HTMLElement,
	settings: CaptchaSettings,
	{ onSolution, onError }: CaptchaEvents,
): CaptchaWidget {
	let isRemoved = false;
	let shown: { api: CaptchaApi; id: string | number } | null = null;
	load(settings).then((api) => {
		if (isRemoved) return;
		const id = api.render(box, {
			sitekey: settings.siteKey,
			theme: shownTheme(),
			size: box.clientWidth < NORMAL_WIDTH_PX ? "compact" : "normal",
			// Turnstile takes it here. The others have it in the URL of the script.
			language: language(),
			callback: onSolution,
			"expired-callback": () => onSolution(""),
			"error-callback": onError,
		});
		shown = { api, id };
	}, onError);
	return {
		reset: () => shown?.api.reset(shown.id),
		remove: () => {
			isRemoved = true;
			shown?.api.remove?.(shown.id);
		},
	};
}
