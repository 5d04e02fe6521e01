import { onTestFinished } from "vitest";

const bytes = (text: string) => new TextEncoder().encode(text).buffer;

/** What a browser returns for a passkey, as far as the page sends it. */
const CREDENTIAL = {
	id: "passkey-ada",
	rawId: bytes("passkey-ada"),
	type: "public-key",
	response: {
		clientDataJSON: bytes("client"),
		authenticatorData: bytes("authenticator"),
		signature: bytes("signature"),
		attestationObject: bytes("attestation"),
	},
	getClientExtensionResults: () => ({}),
};

type PasskeySupport = {
	canceled?: boolean;
	/** What the browser does with passkeys in the list of a field: it cannot, or the user chooses one, or none. */
	autofill?: "unknown" | "unavailable" | "chosen" | "ignored";
};

/** A browser that has passkeys. */
export function supportPasskeys({
	canceled = false,
	autofill = "unknown",
}: PasskeySupport = {}): void {
	class Credential {
		static isConditionalMediationAvailable = async () => autofill !== "unavailable";
	}
	if (autofill === "unknown") Reflect.deleteProperty(Credential, "isConditionalMediationAvailable");
	const use = () =>
		canceled
			? Promise.reject(new DOMException("See: https://www.w3.org/TR/webauthn-2", "NotAllowedError"))
			: Promise.resolve(CREDENTIAL);
	/** The browser waits until the user chooses one, or the page asks in another way. */
	const waitForChoice = (signal: AbortSignal) =>
		autofill === "chosen"
			? use()
			: new Promise((_, reject) => {
					signal.addEventListener("abort", () => reject(signal.reason));
				});
	const get = ({ mediation, signal }: CredentialRequestOptions) =>
		mediation === "conditional" && signal ? waitForChoice(signal) : use();
	Object.defineProperty(window, "PublicKeyCredential", { value: Credential, configurable: true });
	Object.defineProperty(navigator, "credentials", {
		value: { get, create: use },
		configurable: true,
	});
	onTestFinished(() => {
		Reflect.deleteProperty(window, "PublicKeyCredential");
		Reflect.deleteProperty(navigator, "credentials");
	});
}

/** What the service sends before a passkey signs in, and before one is added. */
export const passkeyOptions = {
	challenge: "Y2hhbGxlbmdl",
	rp: { name: "Acme", id: "localhost" },
	user: { id: "dXNlci1hZGE", name: "ada@acme.example", displayName: "Ada" },
	pubKeyCredParams: [{ type: "public-key", alg: -7 }],
};
