import type { ForeignPlugin } from "./foreign-plugin";

export const anonymous: ForeignPlugin = {
	id: "anonymous",
	signInMethod: "anonymous",
	paths: {
		"/sign-in/anonymous": { signIn: "anonymous", endsSignIn: true },
		"/delete-anonymous-user": { deletesUser: true },
	},
};
