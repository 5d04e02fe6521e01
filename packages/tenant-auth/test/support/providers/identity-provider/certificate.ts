import { generate } from "selfsigned";

interface Certificate {
	cert: string;
	key: string;
}

const made = new Map<string, Promise<Certificate>>();

/** A self-signed certificate for these hosts. Only who gets it trusts it. */
export function findCertificate(hosts: readonly string[]): Promise<Certificate> {
	const name = hosts.join();
	const certificate = made.get(name) ?? makeCertificate(hosts);
	made.set(name, certificate);
	return certificate;
}

async function makeCertificate(hosts: readonly string[]): Promise<Certificate> {
	const { cert, private: key } = await generate(
		[{ name: "commonName", value: "loopback identity provider" }],
		{
			keyType: "ec",
			algorithm: "sha256",
			extensions: [
				{ name: "basicConstraints", cA: true },
				{ name: "subjectAltName", altNames: hosts.map((value) => ({ type: 2, value })) },
			],
		},
	);
	return { cert, key };
}
