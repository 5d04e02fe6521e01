import type { ForeignPlugin } from "./foreign-plugin";

export const username: ForeignPlugin = {
	id: "username",
	paths: { "/sign-in/username": { signIn: "password", verifiesPassword: true, endsSignIn: true } },
};
