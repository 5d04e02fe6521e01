/** Guesses a password from ever new addresses, as far as the header of a proxy says. Returns the last status. */
export async function guessPassword(url: string): Promise<number> {
	const options = await fetch(`${url}/api/auth/tenant/login-options?slug=acme`);
	const { tenant } = (await options.json()) as { tenant: { id: string } };
	let status = 0;
	for (let guess = 0; guess < 5; guess++) {
		const response = await fetch(`${url}/api/auth/tenant/sign-in/email`, {
			method: "POST",
			headers: {
				"content-type": "application/json",
				origin: url,
				"x-tenant-id": tenant.id,
				"x-forwarded-for": `192.0.2.${guess}`,
			},
			body: JSON.stringify({ email: "ada@example.com", password: `guess ${guess}` }),
		});
		status = response.status;
	}
	return status;
}
