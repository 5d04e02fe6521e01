import type { CaptchaProvider } from "../settings/captcha";

const HCAPTCHA = "https://hcaptcha.com https://*.hcaptcha.com";

/**
 * What a content security policy must allow for the widget of each provider, by directive:
 *
 * - https://developers.cloudflare.com/turnstile/reference/content-security-policy/
 * - https://docs.hcaptcha.com/#content-security-policy-settings
 * - https://developers.google.com/recaptcha/docs/faq
 */
export const CAPTCHA_SOURCES: Record<CaptchaProvider, Record<string, string>> = {
	turnstile: {
		"script-src": "https://challenges.cloudflare.com",
		"frame-src": "https://challenges.cloudflare.com",
	},
	hcaptcha: {
		"script-src": HCAPTCHA,
		"style-src": HCAPTCHA,
		"connect-src": HCAPTCHA,
		"frame-src": HCAPTCHA,
	},
	recaptcha: {
		"script-src": "https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/",
		"connect-src": "https://www.google.com/recaptcha/",
		"frame-src": "https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/",
		// Its script writes HTML with `style` attributes (https://github.com/google/recaptcha/issues/107).
		"style-src-attr": "'unsafe-inline'",
	},
};
