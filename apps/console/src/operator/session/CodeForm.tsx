import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Form, TextField } from "../../ui/fields";
import { openConsole, verifyCode, verifyRecoveryCode } from "../api/operators";
import { operatorQuery } from "./operator";

const METHODS = {
	app: { label: "Code", verify: verifyCode, other: "Use a recovery code" },
	recovery: { label: "Recovery code", verify: verifyRecoveryCode, other: "Use the app" },
};

/** Asks for the second factor, after the password. */
export function CodeForm() {
	const [method, setMethod] = useState<keyof typeof METHODS>("app");
	const [code, setCode] = useState("");
	const { label, verify, other } = METHODS[method];
	const submit = useApiMutation({
		mutationFn: async () => {
			await verify(code.trim());
			return openConsole();
		},
		invalidate: [operatorQuery.queryKey],
		onError: () => setCode(""),
	});
	return (
		<Form onSubmit={() => !submit.isPending && submit.mutate()}>
			<TextField
				label={label}
				value={code}
				onValueChange={setCode}
				error={submit.error?.message}
				autoComplete="one-time-code"
				inputMode={method === "app" ? "numeric" : "text"}
				autoCapitalize="none"
				spellCheck={false}
				// The operator has just pressed "Sign in" and will type next.
				autoFocus
				required
			/>
			<Button kind="primary" type="submit" wide busy={submit.isPending}>
				Continue
			</Button>
			<p>
				<button
					type="button"
					className="link-button"
					onClick={() => {
						setMethod(method === "app" ? "recovery" : "app");
						setCode("");
						submit.reset();
					}}
				>
					{other}
				</button>
			</p>
		</Form>
	);
}
