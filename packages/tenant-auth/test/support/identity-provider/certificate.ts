import { generate } from "selfsigned";

/** A certificate for these hosts that vouches for itself: trusted only by who is handed it. */
export async function makeCertificate(
	hosts: readonly string[],
): Promise<{ cert: string; key: string }> {
	const made = await generate([{ name: "commonName", value: "loopback identity provider" }], {
		keyType: "ec",
		algorithm: "sha256",
		extensions: [
			{ name: "basicConstraints", cA: true },
			{ name: "subjectAltName", altNames: hosts.map((value) => ({ type: 2, value })) },
		],
	});
	return { cert: made.cert, key: made.private };
}
