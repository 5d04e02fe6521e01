import type { BetterAuthOptions } from "better-auth";

/**
 * E-mail and password with a hash that ends when the test says so, once it is told to `hold`. What is
 * hashed or verified is listed in the order of its beginning.
 */
export function heldPasswords(rest: BetterAuthOptions["emailAndPassword"] = { enabled: true }) {
	const begun: string[] = [];
	const ends: (() => void)[] = [];
	const arrivals = new Set<() => void>();
	let isHeld = false;

	async function pass(password: string): Promise<void> {
		begun.push(password);
		const end = isHeld ? new Promise<void>((resolve) => ends.push(resolve)) : undefined;
		for (const arrival of arrivals) arrival();
		await end;
		if (password.startsWith("fails")) throw new Error("a hash that fails");
	}

	return {
		begun,
		emailAndPassword: {
			...rest,
			password: {
				async hash(password) {
					await pass(password);
					return `hash of ${password}`;
				},
				async verify({ hash, password }) {
					await pass(password);
					return hash === `hash of ${password}`;
				},
			},
		} satisfies BetterAuthOptions["emailAndPassword"],
		hold() {
			begun.length = 0;
			isHeld = true;
		},
		/** Ends what began first. */
		endOne: () => ends.shift()?.(),
		/** Ends all, and what begins from now on at once. */
		endAll() {
			isHeld = false;
			for (const end of ends.splice(0)) end();
		},
		untilBegun: (count: number) =>
			new Promise<void>((resolve) => {
				const check = () => {
					if (begun.length >= count) resolve();
				};
				arrivals.add(check);
				check();
			}),
	};
}
