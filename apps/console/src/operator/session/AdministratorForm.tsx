import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import { PasswordField } from "../../ui/PasswordField";
import { TextField } from "../../ui/TextField";
import { answerOf } from "../api/answer";
import { client } from "../api/client";
import { operatorKey } from "./operator";

export function AdministratorForm() {
	const [email, setEmail] = useState("");
	const [password, setPassword] = useState("");
	const queries = useQueryClient();
	const enter = useMutation({
		mutationFn: async () => {
			await answerOf(client.signIn.email({ email, password }));
			await queries.invalidateQueries({ queryKey: operatorKey });
		},
		onSettled: () => setPassword(""),
	});
	return (
		<form
			className="stack"
			onSubmit={(event) => {
				event.preventDefault();
				if (!enter.isPending) enter.mutate();
			}}
		>
			{enter.error && <Notice kind="danger">{enter.error.message}</Notice>}
			<TextField
				label="Email"
				type="email"
				value={email}
				onChange={(event) => setEmail(event.target.value)}
				autoComplete="username"
				required
			/>
			<PasswordField
				label="Password"
				value={password}
				onChange={(event) => setPassword(event.target.value)}
				autoComplete="current-password"
				required
			/>
			<Button kind="primary" type="submit" wide busy={enter.isPending}>
				Sign in
			</Button>
		</form>
	);
}
