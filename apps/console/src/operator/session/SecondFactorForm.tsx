import { useEffect, useRef, useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button, CopyButton } from "../../ui/Button";
import { Notice } from "../../ui/feedback";
import { Form, PasswordField, TextField } from "../../ui/fields";
import { QrCode } from "../../ui/QrCode";
import {
	enableSecondFactor,
	openConsole,
	type SecondFactorSetup,
	verifyCode,
} from "../api/operators";
import { operatorQuery } from "./operator";

/** @param knownPassword empty if it has to be asked for */
export function SecondFactorForm({ knownPassword }: { knownPassword: string }) {
	const [password, setPassword] = useState("");
	const start = useApiMutation({ mutationFn: (typed: string) => enableSecondFactor(typed) });
	const started = useRef(false);
	useEffect(() => {
		// Once: each call makes a new secret.
		if (knownPassword && !started.current) start.mutate(knownPassword);
		started.current = true;
	}, [knownPassword, start.mutate]);
	if (start.data) return <VerifyForm setup={start.data} />;
	return (
		<Form onSubmit={() => !start.isPending && start.mutate(password)}>
			<PasswordField
				label="Password"
				hint="Confirm your password to continue."
				value={password}
				onValueChange={setPassword}
				error={start.error?.message}
				autoComplete="current-password"
				required
			/>
			<Button kind="primary" type="submit" wide busy={start.isPending}>
				Continue
			</Button>
		</Form>
	);
}

function VerifyForm({ setup: { totpURI, backupCodes } }: { setup: SecondFactorSetup }) {
	const [code, setCode] = useState("");
	const secret = new URL(totpURI).searchParams.get("secret") ?? "";
	const verify = useApiMutation({
		mutationFn: async () => {
			await verifyCode(code.trim());
			return openConsole();
		},
		invalidate: [operatorQuery.queryKey],
		onError: () => setCode(""),
	});
	return (
		<Form onSubmit={() => !verify.isPending && verify.mutate()}>
			<p>1. Scan this with your authenticator app, or type the key into it.</p>
			<QrCode text={totpURI} label="QR code with the key for the authenticator app" />
			<p className="with-button">
				<code className="break">{secret}</code>
				<CopyButton value={secret} what="key" />
			</p>
			<p>2. Keep these recovery codes. Each one works once, if you lose the app.</p>
			<div className="with-button">
				<code className="recovery-codes">{backupCodes.join("\n")}</code>
				<CopyButton value={backupCodes.join("\n")} what="recovery codes" />
			</div>
			<TextField
				label="3. Enter the code that the app shows"
				value={code}
				onValueChange={setCode}
				error={verify.error?.message}
				autoComplete="one-time-code"
				inputMode="numeric"
				required
			/>
			<Notice kind="info">After this, every sign-in asks for a code.</Notice>
			<Button kind="primary" type="submit" wide busy={verify.isPending}>
				Finish
			</Button>
		</Form>
	);
}
