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

/** A browser that has passkeys. */
export function supportPasskeys({ canceled = false } = {}): void {
	const use = () =>
		canceled
			? Promise.reject(new DOMException("See: https://www.w3.org/TR/webauthn-2", "NotAllowedError"))
			: Promise.resolve(CREDENTIAL);
	Object.defineProperty(window, "PublicKeyCredential", { value: class {}, configurable: true });
	Object.defineProperty(navigator, "credentials", {
		value: { get: use, create: use },
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
