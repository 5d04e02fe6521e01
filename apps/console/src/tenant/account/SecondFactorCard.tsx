import { useState } from "react";
import { Link } from "react-router";
import { callApi, hasCode } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Badge, Notice } from "../../ui/feedback";
import { Form, PasswordField } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { useErrorMessage } from "../error-messages";
import { sessionQuery, sessionsQuery } from "../queries";
import { RecoveryCodes } from "../RecoveryCodes";
import { useReturnUrl, useTenant } from "../tenant-context";
import { useTexts } from "../texts/texts";

type Action = "turnOff" | "newCodes";

/** Two-step verification: set it up, turn it off, or get new recovery codes. */
export function SecondFactorCard({ isEnabled }: { isEnabled: boolean }) {
	const { options } = useTenant();
	const { account } = useTexts();
	const { search } = useReturnUrl();
	const [action, setAction] = useState<Action | null>(null);
	const { secondFactorRequired, tenant } = options;
	return (
		<Card
			title={account.secondFactor}
			hint={
				secondFactorRequired
					? `${account.secondFactorHint} ${account.requiredByTenant(tenant.name)}`
					: account.secondFactorHint
			}
			actions={
				<Badge kind={isEnabled ? "success" : "neutral"}>
					{isEnabled ? account.on : account.off}
				</Badge>
			}
		>
			<div className="row">
				{isEnabled ? (
					<>
						<Button onClick={() => setAction("newCodes")}>{account.newCodes}</Button>
						{!secondFactorRequired && (
							<Button onClick={() => setAction("turnOff")}>{account.turnOff}</Button>
						)}
					</>
				) : (
					<Link className="button button-secondary" to={`/second-factor${search}`}>
						{account.setUp}
					</Link>
				)}
			</div>
			<ActionDialog action={action} onClose={() => setAction(null)} />
		</Card>
	);
}

function ActionDialog({ action, onClose }: { action: Action | null; onClose: () => void }) {
	const { account } = useTexts();
	return (
		<Dialog title={action ? account[action] : ""} open={action !== null} onClose={onClose}>
			{action && <ActionForm action={action} onClose={onClose} />}
		</Dialog>
	);
}

function ActionForm({ action, onClose }: { action: Action; onClose: () => void }) {
	const tenant = useTenant();
	const { account, enroll, signIn, ui } = useTexts();
	const errorMessage = useErrorMessage();
	const [password, setPassword] = useState("");
	const [asksPassword, setAsksPassword] = useState(false);
	const [codes, setCodes] = useState<string[] | null>(null);
	const { twoFactor } = tenant.client;
	const body = password ? { password } : {};
	const run = useApiMutation({
		mutationFn: async () => {
			if (action === "newCodes") {
				setCodes((await callApi(twoFactor.generateBackupCodes(body))).backupCodes);
			} else await callApi(twoFactor.disable(body));
		},
		...(action === "turnOff" ? { successMessage: account.turnedOff } : {}),
		// A new session replaces the current one.
		invalidate: [sessionQuery(tenant).queryKey, sessionsQuery(tenant).queryKey],
		onSuccess: () => {
			if (action === "turnOff") onClose();
		},
		onError: (error) => {
			if (hasCode(error, "INVALID_PASSWORD")) setAsksPassword(true);
		},
	});
	if (codes) {
		return (
			<>
				<RecoveryCodes codes={codes} />
				<footer className="dialog-foot">
					<Button kind="primary" onClick={onClose}>
						{account.done}
					</Button>
				</footer>
			</>
		);
	}
	const isFirstRefusal = hasCode(run.error, "INVALID_PASSWORD") && password === "";
	return (
		<Form onSubmit={() => run.mutate()}>
			{run.error && !isFirstRefusal && <Notice kind="danger">{errorMessage(run.error)}</Notice>}
			{action === "newCodes" && <p>{account.newCodesHint}</p>}
			{asksPassword && (
				<PasswordField
					label={signIn.password}
					hint={enroll.passwordHint}
					name="password"
					autoComplete="current-password"
					autoFocus
					required
					value={password}
					onValueChange={setPassword}
				/>
			)}
			<footer className="dialog-foot">
				<Button onClick={onClose}>{ui.cancel}</Button>
				<Button
					kind={action === "turnOff" ? "danger" : "primary"}
					type="submit"
					busy={run.isPending}
				>
					{account[action]}
				</Button>
			</footer>
		</Form>
	);
}
