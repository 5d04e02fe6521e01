import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Badge, Notice } from "../../ui/feedback";
import { Form, PasswordField } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { useToast } from "../../ui/Toast";
import { accountQuery, createRecoveryCodes, type OwnAccount } from "../api/account";
import { operatorsQuery } from "../api/operators";
import { RecoveryCodes } from "../session/RecoveryCodes";
import { SecondFactorForm } from "../session/SecondFactorForm";

/** With fewer recovery codes, the card asks for new ones. */
const MIN_RECOVERY_CODES = 4;

type Open = "set-up" | "codes" | null;

export function SecondFactorCard({ account }: { account: OwnAccount }) {
	const { secondFactor, recoveryCodesLeft } = account;
	const [open, setOpen] = useState<Open>(null);
	const close = () => setOpen(null);
	const setUpTitle = secondFactor ? "Replace the authenticator app" : "Set up a second factor";
	return (
		<Card
			title="Second factor"
			hint="A code from an authenticator app, which the sign-in asks for after the password."
			actions={
				<Badge kind={secondFactor ? "success" : "warning"}>
					{secondFactor ? "Set up" : "Not set up"}
				</Badge>
			}
		>
			{secondFactor &&
				(recoveryCodesLeft < MIN_RECOVERY_CODES ? (
					<Notice kind="warning">{codesLeft(recoveryCodesLeft)} Create new ones.</Notice>
				) : (
					<p>{codesLeft(recoveryCodesLeft)}</p>
				))}
			<div className="row">
				<Button onClick={() => setOpen("set-up")}>{setUpTitle}</Button>
				{secondFactor && <Button onClick={() => setOpen("codes")}>New recovery codes</Button>}
			</div>
			<Dialog title={setUpTitle} open={open === "set-up"} onClose={close}>
				<SetUp isReplacement={secondFactor} onDone={close} />
			</Dialog>
			<Dialog title="New recovery codes" open={open === "codes"} onClose={close}>
				<NewCodes onClose={close} />
			</Dialog>
		</Card>
	);
}

const codesLeft = (count: number) =>
	count === 1 ? "One recovery code is left." : `${count || "No"} recovery codes are left.`;

function SetUp({ isReplacement, onDone }: { isReplacement: boolean; onDone: () => void }) {
	const queryClient = useQueryClient();
	const toast = useToast();
	return (
		<SecondFactorForm
			notice={
				isReplacement
					? "After this, the old app and the old recovery codes do not work any more, and you are signed out everywhere else."
					: "After this, every sign-in asks for a code, and you are signed out everywhere else."
			}
			onConfirmed={async () => {
				await Promise.all([
					queryClient.invalidateQueries(accountQuery),
					queryClient.invalidateQueries(operatorsQuery),
				]);
				toast("The second factor is set up.");
				onDone();
			}}
		/>
	);
}

function NewCodes({ onClose }: { onClose: () => void }) {
	const [password, setPassword] = useState("");
	const create = useApiMutation({
		mutationFn: () => createRecoveryCodes(password),
		invalidate: [accountQuery.queryKey],
		onError: () => setPassword(""),
	});
	if (create.data) {
		return (
			<>
				<p>Keep these recovery codes. Each one works once, and they are not shown again.</p>
				<RecoveryCodes codes={create.data.recoveryCodes} />
				<footer className="dialog-foot">
					<Button kind="primary" onClick={onClose}>
						Done
					</Button>
				</footer>
			</>
		);
	}
	return (
		<Form onSubmit={() => !create.isPending && create.mutate()}>
			<p>The old recovery codes do not work any more then.</p>
			<PasswordField
				label="Password"
				hint="Confirm your password to continue."
				value={password}
				onValueChange={setPassword}
				error={create.error?.message}
				autoComplete="current-password"
				required
			/>
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" busy={create.isPending}>
					Create codes
				</Button>
			</footer>
		</Form>
	);
}
