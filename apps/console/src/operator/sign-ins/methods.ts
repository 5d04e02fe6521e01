import { providerOf } from "../../providers";
import type { SignIn } from "../api/sign-ins";

const METHODS: Record<string, string> = {
	password: "Password",
	social: "Social provider",
	"magic-link": "Magic link",
	"email-otp": "Email code",
	passkey: "Passkey",
	sso: "Single sign-on",
	"two-factor": "Second factor",
	"sign-in-link": "Link of an administrator",
	"one-time-token": "One-time token",
	"phone-number": "Phone number",
	siwe: "Ethereum wallet",
	anonymous: "Anonymous",
};

/** How somebody signed in, or tried to. `null` if the log does not say it. */
export function describeMethod({ method, providerId }: Pick<SignIn, "method" | "providerId">) {
	return providerId ? providerOf(providerId).name : (METHODS[method ?? ""] ?? method);
}
