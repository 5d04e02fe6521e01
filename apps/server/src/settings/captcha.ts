import * as z from "zod";
import { oneOf } from "./formats";

const PROVIDERS = ["turnstile", "hcaptcha", "recaptcha"] as const;

export type CaptchaProvider = (typeof PROVIDERS)[number];

export type Captcha = {
	provider: CaptchaProvider;
	/** Public: it is in the page. */
	siteKey: string;
	secretKey: string;
};

export const captchaProvider = z.string().toLowerCase().pipe(oneOf(PROVIDERS));

/** The site key goes into a page, and the secret key into a request. No provider has others. */
export const captchaKey = z
	.string()
	.regex(/^[\w-]{1,200}$/, "must be a key of the captcha provider, without spaces.");

type Variables = {
	CAPTCHA?: CaptchaProvider | undefined;
	CAPTCHA_SITE_KEY?: string | undefined;
	CAPTCHA_SECRET_KEY?: string | undefined;
};

const NAMES = ["CAPTCHA", "CAPTCHA_SITE_KEY", "CAPTCHA_SECRET_KEY"] as const;

/** Returns `null` without a captcha. */
export function readCaptcha(values: Variables): Captcha | null {
	const { CAPTCHA, CAPTCHA_SITE_KEY, CAPTCHA_SECRET_KEY } = values;
	if (!CAPTCHA || !CAPTCHA_SITE_KEY || !CAPTCHA_SECRET_KEY) return null;
	return { provider: CAPTCHA, siteKey: CAPTCHA_SITE_KEY, secretKey: CAPTCHA_SECRET_KEY };
}

type Problem = { variable: (typeof NAMES)[number]; message: string };

/** A server with half of the settings would start without the captcha that its operator expects. */
export function findCaptchaProblem(values: Variables): Problem | null {
	const missing = NAMES.find((name) => !values[name]);
	if (!missing || NAMES.every((name) => !values[name])) return null;
	return {
		variable: missing,
		message: "must be set: CAPTCHA, CAPTCHA_SITE_KEY and CAPTCHA_SECRET_KEY belong together.",
	};
}
