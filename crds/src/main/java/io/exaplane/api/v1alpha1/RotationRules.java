// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/**
 * In which order a rotation may be asked for, in CEL. A rule looks at the status that is stored, so
 * a wish of before the phase is refused, and not carried out later by surprise.
 */
final class RotationRules {
  private static final String CA = "spec.pki.rotation.ca";
  private static final String CA_NOW =
      "(has(self.spec.pki) && has(self.spec.pki.rotation) && has(self.spec.pki.rotation.ca) ?"
          + " self.spec.pki.rotation.ca : '')";
  private static final String CA_BEFORE =
      "(has(oldSelf.spec.pki) && has(oldSelf.spec.pki.rotation) &&"
          + " has(oldSelf.spec.pki.rotation.ca) ? oldSelf.spec.pki.rotation.ca : '')";
  private static final String CA_PHASE =
      "(has(self.status) && has(self.status.pki) && has(self.status.pki.rotation) &&"
          + " has(self.status.pki.rotation.ca) ? self.status.pki.rotation.ca.phase : '')";

  private static final String KEY = "spec.pki.rotation.serviceAccountKey";
  private static final String KEY_NOW =
      "(has(self.spec.pki) && has(self.spec.pki.rotation) &&"
          + " has(self.spec.pki.rotation.serviceAccountKey) ?"
          + " self.spec.pki.rotation.serviceAccountKey : '')";
  private static final String KEY_BEFORE =
      "(has(oldSelf.spec.pki) && has(oldSelf.spec.pki.rotation) &&"
          + " has(oldSelf.spec.pki.rotation.serviceAccountKey) ?"
          + " oldSelf.spec.pki.rotation.serviceAccountKey : '')";
  private static final String KEY_PHASE =
      "(has(self.status) && has(self.status.pki) && has(self.status.pki.rotation) &&"
          + " has(self.status.pki.rotation.serviceAccountKey) ?"
          + " self.status.pki.rotation.serviceAccountKey.phase : '')";

  private static final String ENCRYPTION = "spec.pki.rotation.encryptionKey";
  private static final String ENCRYPTION_NOW =
      "(has(self.spec.pki) && has(self.spec.pki.rotation) &&"
          + " has(self.spec.pki.rotation.encryptionKey) ?"
          + " self.spec.pki.rotation.encryptionKey : '')";
  private static final String ENCRYPTION_BEFORE =
      "(has(oldSelf.spec.pki) && has(oldSelf.spec.pki.rotation) &&"
          + " has(oldSelf.spec.pki.rotation.encryptionKey) ?"
          + " oldSelf.spec.pki.rotation.encryptionKey : '')";
  private static final String ENCRYPTION_PHASE =
      "(has(self.status) && has(self.status.pki) && has(self.status.pki.rotation) &&"
          + " has(self.status.pki.rotation.encryptionKey) ?"
          + " self.status.pki.rotation.encryptionKey.phase : '')";

  private static final String IS_PREPARED = " in ['Prepared', 'Completing']";

  /** Of the rotation before, which says nothing of one that a Prepare asks for. */
  private static final String WAS_COMPLETED = " == 'Completed' && ";

  private static final String IS_OVER = " in ['', 'Completed']";

  private static final String NOT_PREPARED =
      ": Complete needs the phase Prepared in status.pki.rotation; set Prepare, and wait for that"
          + " phase";
  private static final String BACK =
      ": Complete must not go back to Prepare; wait for the phase Completed in"
          + " status.pki.rotation, remove the field, and then set Prepare for the next rotation";
  private static final String UNDER_WAY =
      ": must not be removed before the phase Completed in status.pki.rotation, since two keys"
          + " are trusted; set Complete when the phase is Prepared";

  static final String CA_COMPLETE =
      CA_NOW
          + " != 'Complete' || "
          + CA_BEFORE
          + " == 'Complete' || "
          + CA_PHASE
          + IS_PREPARED
          + " || "
          + CA_PHASE
          + WAS_COMPLETED
          + CA_BEFORE
          + " == ''";
  static final String CA_COMPLETE_TEXT = CA + NOT_PREPARED;
  static final String CA_BACK = CA_NOW + " != 'Prepare' || " + CA_BEFORE + " != 'Complete'";
  static final String CA_BACK_TEXT = CA + BACK;
  static final String CA_REMOVED =
      CA_NOW + " != '' || " + CA_BEFORE + " == '' || " + CA_PHASE + IS_OVER;
  static final String CA_REMOVED_TEXT = CA + UNDER_WAY;

  static final String KEY_COMPLETE =
      KEY_NOW
          + " != 'Complete' || "
          + KEY_BEFORE
          + " == 'Complete' || "
          + KEY_PHASE
          + IS_PREPARED
          + " || "
          + KEY_PHASE
          + WAS_COMPLETED
          + KEY_BEFORE
          + " == ''";
  static final String KEY_COMPLETE_TEXT = KEY + NOT_PREPARED;
  static final String KEY_BACK = KEY_NOW + " != 'Prepare' || " + KEY_BEFORE + " != 'Complete'";
  static final String KEY_BACK_TEXT = KEY + BACK;
  static final String KEY_REMOVED =
      KEY_NOW + " != '' || " + KEY_BEFORE + " == '' || " + KEY_PHASE + IS_OVER;
  static final String KEY_REMOVED_TEXT = KEY + UNDER_WAY;

  static final String ENCRYPTION_COMPLETE =
      ENCRYPTION_NOW
          + " != 'Complete' || "
          + ENCRYPTION_BEFORE
          + " == 'Complete' || "
          + ENCRYPTION_PHASE
          + IS_PREPARED
          + " || "
          + ENCRYPTION_PHASE
          + WAS_COMPLETED
          + ENCRYPTION_BEFORE
          + " == ''";
  static final String ENCRYPTION_COMPLETE_TEXT = ENCRYPTION + NOT_PREPARED;
  static final String ENCRYPTION_BACK =
      ENCRYPTION_NOW + " != 'Prepare' || " + ENCRYPTION_BEFORE + " != 'Complete'";
  static final String ENCRYPTION_BACK_TEXT = ENCRYPTION + BACK;
  static final String ENCRYPTION_REMOVED =
      ENCRYPTION_NOW + " != '' || " + ENCRYPTION_BEFORE + " == '' || " + ENCRYPTION_PHASE + IS_OVER;
  static final String ENCRYPTION_REMOVED_TEXT = ENCRYPTION + UNDER_WAY;

  /** The resources are part of a rotation: two lists of them are all that exist at a time. */
  static final String ENCRYPTION_CHANGED =
      ENCRYPTION_PHASE
          + IS_OVER
          + " || has(self.spec.encryption) == has(oldSelf.spec.encryption) &&"
          + " (!has(self.spec.encryption) || self.spec.encryption == oldSelf.spec.encryption)";

  static final String ENCRYPTION_CHANGED_TEXT =
      "spec.encryption: must not change during a rotation of its key, since kube-apiservers read by"
          + " two keys; wait for the phase Completed in status.pki.rotation.encryptionKey";

  private RotationRules() {}
}
