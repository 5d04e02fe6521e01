const RANGE_API = "https://api.pwnedpasswords.com/range/";
const PREFIX_LENGTH = 5;
const TIMEOUT_MS = 5000;

/**
 * Whether a password is in a known breach, by the range API of Have I Been Pwned. Only the first five
 * digits of the password's SHA-1 are sent. The response is padded, so that its length says nothing.
 *
 * @see https://haveibeenpwned.com/API/v3#PwnedPasswords
 */
export async function isPwned(password: string): Promise<boolean> {
	const bytes = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(password));
	const hex = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0"));
	const digest = hex.join("").toUpperCase();
	const response = await fetch(`${RANGE_API}${digest.slice(0, PREFIX_LENGTH)}`, {
		headers: { "Add-Padding": "true", "User-Agent": "better-auth-tenant" },
		signal: AbortSignal.timeout(TIMEOUT_MS),
	});
	if (!response.ok) throw new Error(`The range API responded with ${response.status}`);
	const wanted = digest.slice(PREFIX_LENGTH);
	return (await response.text()).split("\n").some((line) => {
		const [suffix, count = "0"] = line.trim().split(":");
		// A padded line has the count 0.
		return suffix === wanted && Number(count) > 0;
	});
}
