import { existsSync, readFileSync, writeFileSync } from "node:fs";

const file = process.env.KEYCHAIN ?? "keychain.json";

const read = (): Record<string, string> =>
	existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};

/** Stands for the keychain of the phone. In an Expo app, this is `expo-secure-store`. */
export const keychain = {
	get: (name: string) => read()[name],
	set: (name: string, value: string) =>
		writeFileSync(file, JSON.stringify({ ...read(), [name]: value }), { mode: 0o600 }),
	delete: (name: string) => {
		const { [name]: _, ...rest } = read();
		writeFileSync(file, JSON.stringify(rest), { mode: 0o600 });
	},
};
