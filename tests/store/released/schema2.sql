BEGIN TRANSACTION;
CREATE TABLE datasets (
	fingerprint TEXT NOT NULL, 
	parts TEXT NOT NULL, 
	PRIMARY KEY (fingerprint)
);
INSERT INTO "datasets" VALUES('0710cb3b347818169c88f4fedb96fc6b71b5f9e16f59d5deeb806de7ba4f12e8','{"classes": "a3896c1baf5eb1dac874264296556b6e3b96f15e08ab07974b4dfddbee6395d8", "content": "c8b05d44813c9ac0426736cfdf7432af785338745a20ac91edd86dd8f5f9e9ba", "ids": "1d06dd804735057e1864f20dda97180fc59c4ebd707c544826926bcd83c066f2", "labels": "e0c7fbec66d85f9984fc2f8613e564ba9e5a39b206bdf1afbac480197c608e08", "probabilities": "f64551fcd6f07823cb87971cfb91446425da18286b3ab1ef935e0cbd7a69f68a"}');
CREATE TABLE examples (
	example_id TEXT NOT NULL, 
	revision INTEGER NOT NULL, 
	in_force INTEGER, 
	resolution INTEGER, 
	disputed BOOLEAN NOT NULL, 
	PRIMARY KEY (example_id)
)
 WITHOUT ROWID

;
INSERT INTO "examples" VALUES('e0',1,1,NULL,0);
INSERT INTO "examples" VALUES('e1',3,NULL,NULL,0);
CREATE TABLE log (
	seq INTEGER NOT NULL, 
	op_id TEXT NOT NULL, 
	part INTEGER NOT NULL, 
	entry TEXT NOT NULL, 
	example_id TEXT, 
	content_hash TEXT, 
	fingerprint TEXT NOT NULL, 
	given TEXT, 
	given_id TEXT, 
	action TEXT NOT NULL, 
	label TEXT, 
	label_id TEXT, 
	labels TEXT NOT NULL, 
	label_ids TEXT NOT NULL, 
	kind TEXT, 
	note TEXT NOT NULL, 
	curator TEXT NOT NULL, 
	seconds FLOAT, 
	revision INTEGER, 
	time TEXT NOT NULL, 
	target TEXT, 
	other TEXT, 
	other_id TEXT, 
	"plan" TEXT, 
	PRIMARY KEY (seq)
);
INSERT INTO "log" VALUES(1,'op-1',0,'decide','e0','822beb0d1729878ad343b6c35b1d5e45e62f8e36b6543c2312b6f1cb6d00cdef','0710cb3b347818169c88f4fedb96fc6b71b5f9e16f59d5deeb806de7ba4f12e8','cat','cat','keep',NULL,NULL,'[]','[]',NULL,'','ana',NULL,NULL,'2026-11-18T03:36:17.790573+00:00',NULL,NULL,NULL,NULL);
INSERT INTO "log" VALUES(2,'op-2',0,'decide','e1','900a4469df00ccbfd0c145c6d1e4b7953dd0afafadd7534e3a4019e8d38fc663','0710cb3b347818169c88f4fedb96fc6b71b5f9e16f59d5deeb806de7ba4f12e8','dog','dog','relabel','cat','cat','[]','[]',NULL,'a café','ben',NULL,NULL,'2026-11-18T03:36:17.793235+00:00',NULL,NULL,NULL,NULL);
INSERT INTO "log" VALUES(3,'op-3',0,'undo','e1','900a4469df00ccbfd0c145c6d1e4b7953dd0afafadd7534e3a4019e8d38fc663','0710cb3b347818169c88f4fedb96fc6b71b5f9e16f59d5deeb806de7ba4f12e8','dog','dog','relabel','cat','cat','[]','[]',NULL,'','ben',NULL,NULL,'2026-11-18T03:36:17.795667+00:00','op-2',NULL,NULL,NULL);
INSERT INTO "log" VALUES(4,'op-4',0,'decide',NULL,NULL,'0710cb3b347818169c88f4fedb96fc6b71b5f9e16f59d5deeb806de7ba4f12e8','cat','cat','merge','cat','cat','[]','[]',NULL,'','ana',NULL,NULL,'2026-11-18T03:36:17.798247+00:00',NULL,'dog','dog',NULL);
CREATE TABLE meta (
	"key" TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "meta" VALUES('uuid','5f67467d41b0466da631c6e55def7eb7');
INSERT INTO "meta" VALUES('schema','2');
CREATE TABLE units (
	op_id TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	size INTEGER NOT NULL, 
	curator TEXT NOT NULL, 
	status TEXT NOT NULL, 
	PRIMARY KEY (op_id)
)
 WITHOUT ROWID

;
INSERT INTO "units" VALUES('op-1',1,1,'ana','active');
INSERT INTO "units" VALUES('op-2',2,1,'ben','undone');
INSERT INTO "units" VALUES('op-3',3,1,'ben','other');
INSERT INTO "units" VALUES('op-4',4,1,'ana','active');
CREATE TABLE words (
	example_id TEXT NOT NULL, 
	curator TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	PRIMARY KEY (example_id, curator)
)
 WITHOUT ROWID

;
INSERT INTO "words" VALUES('e0','ana',1);
CREATE INDEX log_of_example ON log (example_id, seq);
CREATE TRIGGER log_refuses_UPDATE BEFORE UPDATE ON log
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_refuses_DELETE BEFORE DELETE ON log
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE INDEX units_of_curator ON units (curator, status, seq);
CREATE INDEX examples_in_dispute ON examples (revision) WHERE disputed;
COMMIT;
