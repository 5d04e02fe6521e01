import { useState } from "react";
import { ThemeToggle } from "../../ui/ThemeToggle";
import { BrandMark } from "../layout/BrandMark";
import { AdministratorForm } from "./AdministratorForm";
import { KeyForm } from "./KeyForm";
import { OtherUserNotice } from "./OtherUserNotice";
import type { Operator } from "./operator";

const WAYS = { key: "Management key", administrator: "Administrator" } as const;

type Way = keyof typeof WAYS;

export function SignInPage({ operator }: { operator: Operator }) {
	const [way, setWay] = useState<Way>(operator.kind === "other-user" ? "administrator" : "key");
	return (
		<main className="gate">
			<title>Sign in · Console</title>
			<div className="gate-corner">
				<ThemeToggle />
			</div>
			<div className="card gate-card">
				<div className="stack stack-tight gate-head">
					<BrandMark />
					<h1>Console</h1>
					<p className="muted">Sign in to manage tenants.</p>
				</div>
				{operator.kind === "other-user" && <OtherUserNotice operator={operator} />}
				<fieldset className="segments">
					<legend className="visually-hidden">How to sign in</legend>
					{Object.entries(WAYS).map(([value, label]) => (
						<label key={value} className="segment">
							<input
								type="radio"
								name="way"
								value={value}
								checked={way === value}
								onChange={() => setWay(value as Way)}
							/>
							<span>{label}</span>
						</label>
					))}
				</fieldset>
				{way === "key" ? <KeyForm /> : <AdministratorForm />}
			</div>
		</main>
	);
}
